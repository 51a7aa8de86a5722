import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** A module for `node --import` that notes which folders the process lists. */
export interface ListingWitness {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** The folders that were listed so far. */
  readonly listed: () => ReadonlyArray<string>
}

/** Makes the module in a folder. */
export const listingWitness = (folder: string): ListingWitness => {
  const [log, module] = [join(folder, "listed"), join(folder, "witness.mjs")]
  writeFileSync(log, "")
  writeFileSync(
    module,
    `import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
const append = fs.appendFileSync
for (const owner of [fs, fs.promises])
  for (const name of ["readdir", "readdirSync", "opendir", "opendirSync", "glob", "globSync"]) {
    const real = owner[name]
    if (real !== undefined) owner[name] = (path, ...rest) => (append(${JSON.stringify(log)}, path + "\\n"), real(path, ...rest))
  }
syncBuiltinESMExports()
`
  )
  return {
    command: [process.execPath, "--import", pathToFileURL(module).href, "src/main.js", "serve"],
    listed: () => readFileSync(log, "utf8").split("\n").filter(Boolean)
  }
}
