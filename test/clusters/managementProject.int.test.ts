import { expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { complete, idOf, shape, useClusters } from "./useClusters.ts"

const { addWith, put, read, service } = useClusters()

const newProject = async (path: string, description: string | null): Promise<number> =>
  idOf(await service.request("POST", "/projects", { json: { path, description } }))
const manager = (id: number, path: string, description: string | null) => ({
  id,
  description,
  name: path,
  name_with_namespace: `Administrator / ${path}`,
  path,
  path_with_namespace: `root/${path}`,
  created_at: anyTime
})
const managerOf = ({ body }: Received) => field(body, "management_project")

it("a project manages a cluster until another one does, or none, or it is deleted", async () => {
  const [first, second] = [await newProject("first", "m"), await newProject("second", null)]
  const added = await addWith({ management_project_id: first })
  expect(added.status).toBe(201)
  expectExactly(added.body, { ...shape, management_project: manager(first, "first", "m") })
  const id = idOf(added)
  expectExactly((await read(id)).body, added.body)
  expectExactly((await service.request("GET", "/admin/clusters")).body, [added.body])
  expect(managerOf(await put(id, { json: { name: "kept" } }))).toEqual(managerOf(added))
  expectExactly(managerOf(await put(id, { json: { management_project_id: second } })), manager(second, "second", null))
  await service.request("PUT", `/projects/${second}`, { json: { path: "renamed", name: "renamed" } })
  expectExactly(managerOf(await read(id)), manager(second, "renamed", null))
  await service.request("DELETE", `/projects/${second}`)
  expect(managerOf(await read(id))).toBeNull()
  expect(managerOf(await put(id, { json: { management_project_id: first } }))).not.toBeNull()
  expect(managerOf(await put(id, { json: { management_project_id: null } }))).toBeNull()
  expect(managerOf(await read(id))).toBeNull()
})

it("an unknown or deleted project manages none", async () => {
  const gone = await newProject("gone", null)
  await service.request("DELETE", `/projects/${gone}`)
  const text = "Project does not exist or you don't have permission to perform this action"
  for (const management_project_id of [gone, 4711]) {
    const { body, status } = await service.request("POST", "/admin/clusters/add", {
      json: { ...complete, environment_scope: "x", management_project_id }
    })
    expect([status, body]).toEqual([400, { message: { management_project_id: [text] } }])
  }
})
