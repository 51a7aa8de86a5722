import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const forbidden = [
  ["src/users/handlers.ts", "#projections/layer.ts"],
  ["src/cli/serve.ts", "../../projections/layer.ts"],
  ["src/platform/Ids.ts", "../users/events.ts"],
  ["src/http/answer.ts", "../clusters/ids.ts"],
  ["src/kernel/decider.ts", "../platform/Ids.ts"],
  ["src/kernel/uuid.ts", "../users/ids.ts"],
  ["src/users/present.ts", "../tokens/decide.ts"],
  ["src/keys/userKey/handle.ts", "../../clusters/decide.ts"],
  ["src/users/decide.ts", "../platform/Ids.ts"],
  ["src/users/evolve.ts", "node:fs"],
  ["projections/layer.ts", "#src/users/handlers.ts"]
] as const

const allowed = [
  ["src/composition.ts", "#projections/layer.ts"],
  ["src/tokens/listHandler.ts", "../users/Users.ts"],
  ["src/keys/fingerprintNames.ts", "../users/events.ts"],
  ["src/users/moderationHandlers.ts", "../platform/Ids.ts"],
  ["projections/users/project.ts", "#src/users/events.ts"]
] as const

/** Files that the linter refuses, of a tree in which each file has one import. */
const refused = (imports: ReadonlyArray<readonly [file: string, imported: string]>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "chronoforge-directions-"))
  try {
    const settings = JSON.parse(readFileSync("biome.json", "utf8"))
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ ...settings, vcs: { enabled: false }, $schema: undefined }))
    for (const [file, imported] of imports) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), `import { x } from "${imported}"\nx()\n`)
    }
    const biome = join(process.cwd(), "node_modules/.bin/biome")
    const { stdout } = spawnSync(biome, ["lint", "--only=style/noRestrictedImports", "--reporter=github"], {
      cwd: folder,
      encoding: "utf8"
    })
    return imports.map(([file]) => file).filter((file) => stdout.includes(`file=${join(folder, file)},`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("folder directions, as the linter checks them", () => {
  it("refuses every import against a direction", () => {
    expect(refused(forbidden)).toEqual(forbidden.map(([file]) => file))
  })

  it("lets those along a direction be", () => {
    expect(refused(allowed)).toEqual([])
  })
})
