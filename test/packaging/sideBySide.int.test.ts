import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

const run = async (...scripts: ReadonlyArray<string>) => {
  const named = { well: "echo one; echo two", silent: "exit 0", ill: "echo wrong >&2; exit 3" }
  await writeFile(join(folder(), "package.json"), JSON.stringify({ scripts: named }))
  const child = spawn(process.execPath, [resolve("scripts/sideBySide.ts"), ...scripts], {
    cwd: folder(),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
  const parts = stdout.split("\n\n").map((part) => part.trim().replace(/after \d+\.\d s/, "after a while"))
  return { code, parts: parts.toSorted(), stderr: stderr.trim() }
}

it("scripts that run side by side tell each in one piece what they wrote, and together which failed", async () => {
  expect(await run("well", "ill", "silent")).toEqual({
    code: 1,
    parts: [
      "> ill: FAILED after a while\nwrong",
      "> silent: succeeded after a while",
      "> well: succeeded after a while\none\ntwo"
    ],
    stderr: "Failed: ill"
  })
})

it("they succeed together", async () => {
  expect(await run("silent")).toEqual({ code: 0, parts: ["> silent: succeeded after a while"], stderr: "" })
})
