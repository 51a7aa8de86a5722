import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { succeed, WorkingCopy } from "./gitClient.ts"
import { type ServerProcess, startServerProcess } from "./serverProcess.ts"

const folder = temporaryFolder()
const mebibyte = 1024 * 1024
let server: ServerProcess

beforeAll(async () => {
  server = await startServerProcess(folder())
})
afterAll(() => server.child.kill())

describe("a repository of 160 MB", () => {
  it("comes and goes without being in memory", async () => {
    const url = `${server.url}/group/1.git`
    const copy = await WorkingCopy.make(join(folder(), "copy"), url)
    await copy.git("push", "--quiet", "origin", "main")
    const before = server.peak()
    await copy.commit(160 * mebibyte)
    await copy.git("push", "--quiet", "origin", "main")
    await succeed("clone", "--quiet", "--no-checkout", url, join(folder(), "clone"))
    expect((server.peak() - before) / mebibyte).toBeLessThan(130)
  })
})
