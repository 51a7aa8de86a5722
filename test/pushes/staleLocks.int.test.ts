import { existsSync } from "node:fs"
import { utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { answerOf, rootToken } from "#test/support/service.ts"
import { usePushes } from "./usePushes.ts"

const { commit, newProject, service, urlFor, work } = usePushes()

const pathOf = async (id: number) =>
  (await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))).path

const hour = 3_600_000

/** A project with a branch `main`, whose repository has a lock of this age. */
const projectWithLock = async (name: string, lock: string, ageMillis: number) => {
  const id = await newProject(name)
  expect((await work("push", "-q", urlFor(rootToken, name), "main")).stderr).toBe("")
  const path = join(await pathOf(id), lock)
  const leave = async () => {
    await writeFile(path, "")
    const date = new Date(Date.now() - ageMillis)
    await utimes(path, date, date)
  }
  await leave()
  return { id, leave, isThere: () => existsSync(path) }
}

const createFile = (id: number, file: string) =>
  service.request("POST", `/projects/${id}/repository/files/${file}`, {
    json: { branch: "main", commit_message: "m", content: "c" }
  })

describe("a lock that a killed process left an hour ago", () => {
  it.each(["refs/heads/main.lock", "HEAD.lock"])("%s blocks neither a push nor a write", async (lock) => {
    const name = lock.replace(/\W/g, "-")
    const { id, isThere, leave } = await projectWithLock(name, lock, hour)
    await commit("a", name)
    expect(await work("push", "-q", urlFor(rootToken, name), "main")).toMatchObject({ stderr: "" })
    expect(isThere()).toBe(false)
    await leave()
    expect(answerOf(await createFile(id, "b"))).toEqual([201, { file_path: "b", branch: "main" }])
    expect(isThere()).toBe(false)
  })

  it("packed-refs.lock blocks no removal of a branch", async () => {
    const { id, isThere, leave } = await projectWithLock("packed", "packed-refs.lock", hour)
    await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "one", ref: "main" } })
    await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "two", ref: "main" } })
    await leave()
    expect((await service.request("DELETE", `/projects/${id}/repository/branches/one`)).status).toBe(204)
    expect(isThere()).toBe(false)
    await leave()
    expect((await work("push", "-q", urlFor(rootToken, "packed"), ":two")).stderr).toBe("")
    expect(isThere()).toBe(false)
  })

  it("HEAD.lock blocks no other default branch", async () => {
    const { id, isThere, leave } = await projectWithLock("pointed", "HEAD.lock", hour)
    await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "one", ref: "main" } })
    await leave()
    const { body, status } = await service.request("PUT", `/projects/${id}`, { json: { default_branch: "one" } })
    expect([status, body]).toEqual([200, expect.objectContaining({ default_branch: "one" })])
    expect(isThere()).toBe(false)
  })
})

describe("a lock of a minute ago", () => {
  it("is left alone, and named", async () => {
    const { id, isThere } = await projectWithLock("young", "refs/heads/main.lock", 60_000)
    const reason = "another process is changing the repository: it holds refs/heads/main.lock"
    expect(answerOf(await createFile(id, "b"))).toEqual([503, { message: `503 Service Unavailable - ${reason}` }])
    await commit("a", "young")
    const { stderr } = await work("push", "-q", urlFor(rootToken, "young"), "main")
    expect(stderr).toContain("Unable to create './refs/heads/main.lock': File exists")
    expect(stderr).toContain("[remote rejected] main -> main (failed to update ref)")
    expect(isThere()).toBe(true)
  })
})
