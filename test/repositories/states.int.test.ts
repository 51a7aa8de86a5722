import { Effect, Schedule } from "effect"
import { describe, expect, it } from "vitest"
import { ProjectImports } from "#src/projects/ProjectImports.ts"
import { useImports } from "#test/imports/useImports.ts"
import { useRemote } from "#test/imports/useRemote.ts"
import { externalUrl } from "#test/projects/useProjects.ts"
import { field } from "#test/support/exactly.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { createBareProject, createProject, projectNotFound, repositoryPath } from "./useCode.ts"

const { create, importing, newUser, put, service } = useImports()
const remote = useRemote()

const nothing = "0".repeat(40)
/** Of a project without a commit: where it is asked, and what is answered. */
const empty: ReadonlyArray<readonly [path: string, status: number, body: unknown]> = [
  ["tree", 404, { message: "404 Tree Not Found" }],
  ["tree?ref=main&recursive=true", 404, { message: "404 Tree Not Found" }],
  [`blobs/${nothing}`, 404, { message: "404 Blob Not Found" }],
  [`blobs/${nothing}/raw`, 404, { message: "404 Blob Not Found" }],
  ["archive", 404, { message: "404 File Not Found" }],
  ["archive.zip?sha=main", 404, { message: "404 File Not Found" }],
  ["compare?from=main&to=main", 404, { message: "404 Ref Not Found" }],
  ["contributors", 200, []],
  ["contributors?ref=main", 404, { message: "404 Not Found" }],
  ["merge_base?refs=main,HEAD", 400, { message: "Could not find refs: main, HEAD" }]
]
const expectEmpty = async (id: number) => {
  for (const [path, status, body] of empty) {
    const received = await service.request("GET", `/projects/${id}/repository/${path}`)
    expect([path, received.status, received.body]).toEqual([path, status, body])
  }
}

/** The same of one that has `main` with a file `a`. */
const filled = ["tree", "archive", "archive.zip", "compare?from=main&to=main", "contributors", "merge_base?refs=main,main"]
const filledProject = async (path: string, settings = {}) => {
  const id = await createProject(service, { path, settings })
  const { commits, git } = emptyRepository(await repositoryPath(service, id))
  commits([{ mark: "one", files: { a: "a\n" } }])
  const blob = git(["rev-parse", "main:a"])
  return { id, paths: [...filled, `blobs/${blob}`, `blobs/${blob}/raw`] }
}

describe("nothing is found", () => {
  it("in a repository without commits", async () => {
    await expectEmpty(await createProject(service, { path: "empty" }))
  })

  it("where the repository is gone", async () => {
    await expectEmpty(await createBareProject(service, "bare"))
  })

  it("while it is being imported", async () => {
    remote.create("slow").commits([{ mark: "one", files: { a: "a\n" } }])
    const release = remote.hold()
    const id = Number(field((await create({ json: { name: "slow", import_url: `${remote.url}/slow.git` } })).body, "id"))
    await expectEmpty(id)
    const finished = importing(id)
    await service.run(
      Effect.repeat(
        ProjectImports.use((imports) => imports.find(id)),
        { until: (row) => row?.status === "started", schedule: Schedule.spaced("20 millis") }
      )
    )
    await expectEmpty(id)
    release()
    await finished
    const { body } = await service.request("GET", `/projects/${id}/repository/tree`)
    expect(body).toMatchObject([{ path: "a" }])
  })
})

it("an archived project is read as before", async () => {
  const { id, paths } = await filledProject("archived")
  await service.request("POST", `/projects/${id}/archive`)
  for (const path of paths) {
    const { status } = await service.request("GET", `/projects/${id}/repository/${path}`)
    expect([path, status]).toEqual([path, 200])
  }
})

it("an old path leads to the new one, for those who may read it", async () => {
  const { id, paths } = await filledProject("before", { visibility: "private" })
  await put(id, { json: { path: "after" } })
  const { token } = await newUser("outsider")
  for (const path of paths) {
    const at = (project: string) => `/projects/${project}/repository/${path}`
    const moved = await service.request("GET", at("root%2Fbefore"))
    expect([path, moved.status, moved.headers.get("location")]).toEqual([path, 301, `${externalUrl}/api/v4${at(String(id))}`])
    expect((await service.request("GET", at("root%2Fafter"))).status).toBe(200)
    const hidden = await service.request("GET", at("root%2Fbefore"), { token })
    expect([path, hidden.status, hidden.body]).toEqual([path, 404, projectNotFound])
  }
})
