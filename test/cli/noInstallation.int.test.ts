import { access } from "node:fs/promises"
import { expect, it } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { chronoforge, start } from "./chronoforge.ts"

const folder = temporaryFolder()

it.each([["verify"], ["rebuild"], ["reconcile"], ["history", "user", "root"]])(
  "%s says that there is no installation, and makes none",
  async (...args) => {
    const dataDir = `${folder()}/${args[0]}`
    const { code, stderr, stdout } = await chronoforge(args, { DATA_DIR: dataDir })
    expect([code, stdout, stderr]).toEqual([3, "", `DATA_DIR ${dataDir}: there is no installation\n`])
    await expect(access(dataDir)).rejects.toThrow("ENOENT")
  }
)

it("whoever reads no further ends no command with an error", async () => {
  const { closeOutput, ended } = start(["--help"], {})
  closeOutput()
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([0, ""])
})
