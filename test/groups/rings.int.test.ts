import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { Projections } from "#src/platform/Projections.ts"
import { field } from "#test/support/exactly.ts"
import { transfer } from "./samples.ts"
import { idOf, useGroups } from "./useGroups.ts"

const { service, as, create, join, newPath, userId } = useGroups()

/** Three groups, each below the one before, and the first below the last: as two transfers leave them that know nothing of each other. */
const ring = async () => {
  const path = newPath()
  const first = await create(path)
  const second = await create("second", { parent_id: first })
  const third = await create("third", { parent_id: second })
  const command = { ...transfer, from: { parentId: null, path }, parentId: third } as const
  await service.run(
    Effect.gen(function* () {
      const { position } = yield* Effect.orDie(handle(groupAggregate, first, command))
      yield* Projections.use((projections) => projections.awaitPosition(position))
    })
  )
  return { ids: [first, second, third], first, third, path }
}

describe("groups in a ring", () => {
  let [ids, project, elsewhere, first]: [ReadonlyArray<number>, number, number, number] = [[], 0, 0, 0]
  beforeAll(async () => {
    elsewhere = await create("elsewhere")
    ;({ first, ids } = await ring())
    project = idOf(await service.request("POST", "/projects", { json: { name: "inside", namespace_id: first } }))
    await join(first, userId("guest"), 10)
    await service.request("POST", `/projects/${project}/share`, { json: { group_id: elsewhere, group_access: 10 } })
    await service.request("POST", `/groups/${elsewhere}/share`, { json: { group_id: first, group_access: 10 } })
  })

  it.each([
    "/groups",
    "/groups?all_available=false",
    "/groups/:ring",
    "/groups/:ring/subgroups",
    "/groups/:ring/descendant_groups",
    "/groups/:ring/invited_groups",
    "/groups/:ring/groups/shared",
    "/groups/:ring/projects?include_subgroups=true",
    "/groups/:ring/members/all",
    "/groups/:ring/transfer_locations",
    "/groups/:elsewhere/members/all",
    "/groups/:elsewhere/transfer_locations",
    "/namespaces",
    "/namespaces?search=inside&full_path_search=true",
    "/namespaces/:ring",
    "/projects",
    "/projects?search=inside&search_namespaces=true",
    "/projects/:project",
    "/projects/:project/groups?with_shared=true",
    "/projects/:project/invited_groups",
    "/projects/:project/members/all",
    "/projects/:project/transfer_locations",
    "/projects/:project/users",
    "/users?without_projects=true"
  ])("can be asked for %s", async (path) => {
    const url = path.replace(":ring", `${first}`).replace(":elsewhere", `${elsewhere}`).replace(":project", `${project}`)
    expect((await service.request("GET", url)).status).toBe(200)
    expect((await service.request("GET", url, as("guest"))).status).toBeLessThan(404)
  })

  it("take no group, and are all below each other", async () => {
    const refused = { message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}' }
    const group = { name: "n", path: newPath(), parent_id: first }
    expect((await service.request("POST", "/groups", { json: group })).body).toEqual(refused)
    const moved = await service.request("POST", `/groups/${elsewhere}/transfer`, { json: { group_id: first } })
    expect(moved.body).toEqual({ message: "Transfer failed: Validation failed: Parent has too deep level of nesting" })
    const { body } = await service.request("GET", `/groups/${first}/descendant_groups`)
    expect(Array.isArray(body) && body.map(({ id }) => id).toSorted()).toEqual(ids.filter((id) => id !== first))
  })

  it("are mended by a transfer of one of them to the top level", async () => {
    const { path, first, third } = await ring()
    expect((await service.request("POST", `/groups/${first}/transfer`)).status).toBe(201)
    expect(field((await service.request("GET", `/groups/${third}`)).body, "full_path")).toBe(`${path}/second/third`)
  })

  it("are deleted together", async () => {
    const { ids } = await ring()
    expect((await service.request("DELETE", `/groups/${ids[1]}`)).status).toBe(202)
    for (const id of ids) expect((await service.request("GET", `/groups/${id}`)).status).toBe(404)
  })
})
