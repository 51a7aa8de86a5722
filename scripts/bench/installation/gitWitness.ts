import { execFile } from "node:child_process"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

/** A folder with a `git` that notes how it was started; `seen` answers the lines so far. */
export const makeWitness = async (folder: string) => {
  await mkdir(folder)
  const [log, witness] = [join(folder, "started"), join(folder, "git")]
  const real = (await promisify(execFile)("sh", ["-c", "command -v git"])).stdout.trim()
  await writeFile(log, "")
  await writeFile(witness, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${real}' "$@"\n`)
  await chmod(witness, 0o755)
  return {
    path: `${folder}:${process.env.PATH ?? ""}`,
    seen: async () => (await readFile(log, "utf8")).split("\n").filter(Boolean)
  }
}
