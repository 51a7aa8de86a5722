import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { useImports } from "./useImports.ts"
import { useRemote } from "./useRemote.ts"

const remote = useRemote()

describe("a repository from which nothing may come", () => {
  const { importing, newProject, probe, schedule } = useImports({ IMPORT_ALLOW_PRIVATE: "false" })
  const refused = "The import URL leads to an address that is not public, which is not allowed"

  it("lies on an address that is not public", async () => {
    remote.create("here").commits([{ mark: "one" }])
    const { port } = new URL(remote.url)
    const asked = remote.requests.length
    for (const host of ["127.0.0.1", "localhost", "LOCALHOST.", "0x7f000001", "[::ffff:127.0.0.1]", "2130706433", "[::1]"]) {
      expect([host, await probe(`http://${host}:${port}/here.git`)]).toEqual([host, refused])
    }
    const id = await newProject("refused")
    await schedule(id, `${remote.url}/here.git`)
    expect(await importing(id)).toMatchObject({ status: "failed", error: refused })
    expect(remote.requests.length).toBe(asked)
  })
})

describe("an import that takes too much", () => {
  const { importing, newProject, schedule } = useImports({ IMPORT_TIME_LIMIT: "3", IMPORT_SIZE_LIMIT: "1" })

  it("of space is ended", async () => {
    remote.create("large").commits([{ mark: "one", files: { "noise.bin": randomBytes(2 * 1024 * 1024) } }])
    const id = await newProject("large")
    await schedule(id, `${remote.url}/large.git`)
    expect(await importing(id)).toMatchObject({
      status: "failed",
      error: "The repository is larger than the 1 MiB that an import may take"
    })
  })

  it("of time is ended", async () => {
    remote.create("late").commits([{ mark: "one" }])
    const id = await newProject("late")
    await schedule(id, `${remote.url}/late.git`)
    const release = remote.hold()
    expect(await importing(id)).toMatchObject({ status: "failed", error: "The import took longer than 3 seconds" })
    release()
  })
})
