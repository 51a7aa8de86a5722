import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { projectId } from "#src/http/answer/references.ts"
import { endpoint, type Route } from "#src/http/Endpoint.ts"
import { unlessDeleted } from "#src/projects/repository/unlessDeleted.ts"
import { useProjects } from "../useProjects.ts"

const { service, newProject } = useProjects()

const broken = new Error("not a git repository")
const failing = (path: `/${string}`): Route => ({
  endpoint: endpoint({
    name: "tests.failing",
    area: "projects",
    method: "GET",
    path,
    summary: "Fail",
    access: "anyone",
    parameters: { id: projectId },
    success: { status: 204 }
  }),
  run: () => Effect.die(broken)
})

/** Why a request for a public project comes to nothing, where its handler fails without foreseeing it. */
const failureOf = (path: `/${string}`, id: number) => {
  const incoming = { id: "", method: "GET", path: "", query: "", externalUrl: "", headers: {}, body: undefined as never }
  const input = { caller: undefined, parameters: { id: String(id) }, request: incoming, guarded: undefined }
  return service.run(Effect.flip(Effect.catchDefect(unlessDeleted(failing(path)).run(input), Effect.fail)))
}

const removeRepository = (id: number) => service.run(Repositories.use((repositories) => repositories.remove(id)))

it("what fails for a project that is there is told as it is", async () => {
  const id = await newProject("staying", { visibility: "public" })
  expect(await failureOf("/projects/:id/thing", id)).toBe(broken)
})

it("what fails for a project that is deleted meanwhile is not found", async () => {
  const id = await newProject("going", { visibility: "public" })
  await removeRepository(id)
  expect(await failureOf("/projects/:id/thing", id)).toMatchObject({ status: 404, body: { message: "404 Not found" } })
  expect(await failureOf("/things/:id", id)).toBe(broken)
  await service.request("DELETE", `/projects/${id}`)
  expect(await failureOf("/projects/:id/thing", id)).toMatchObject({ status: 404, body: { message: "404 Project Not Found" } })
})
