import { execFile } from "node:child_process"
import { access } from "node:fs/promises"
import { promisify } from "node:util"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { chronoforge, start } from "./chronoforge.ts"

const folder = temporaryFolder()

const commands = [
  ["verify"],
  ["rebuild"],
  ["reconcile"],
  ["history", "user", "root"],
  ["token", "list", "root"],
  ["administrator", "restore", "root"]
]

it.each(commands)("%s says that there is no installation, and makes none", async (...args) => {
  const dataDir = `${folder()}/${args[0]}`
  const { code, stderr, stdout } = await chronoforge(args, { DATA_DIR: dataDir })
  expect([code, stdout, stderr]).toEqual([3, "", `DATA_DIR ${dataDir}: there is no installation\n`])
  await expect(access(dataDir)).rejects.toThrow("ENOENT")
})

it.each(commands)("%s says that there is none in a database, and leaves that empty", async (...args) => {
  const found = Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    const { code, stderr, stdout } = yield* Effect.promise(() =>
      chronoforge(args, { DATA_DIR: `${folder()}/${args[0]}`, DATABASE_URL: url })
    )
    return [code, stdout, stderr, yield* ask(url, "select nspname from pg_namespace where nspname = 'chronoforge'")]
  })
  expect(await Effect.runPromise(Effect.scoped(found))).toEqual([3, "", "There is no installation in this database\n", []])
})

it("a full disk that does not take the answer is told, and the command failed", async () => {
  const command = promisify(execFile)("/bin/sh", ["-c", 'exec "$0" src/main.js history --help >/dev/full', process.execPath])
  await expect(command).rejects.toMatchObject({
    code: 3,
    stderr: "The answer cannot be written: ENOSPC: no space left on device, write\n"
  })
})

it("whoever reads no further ends no command with an error", async () => {
  const { closeOutput, ended } = start(["--help"], {})
  closeOutput()
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([0, ""])
})
