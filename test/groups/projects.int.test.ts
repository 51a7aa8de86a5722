import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { idOf, useGroups } from "./useGroups.ts"

const { service, as, create, join, newPath, userId } = useGroups()

const createProject = async (namespace_id: number, name: string, visibility = "private"): Promise<number> =>
  idOf(await service.request("POST", "/projects", { json: { name, namespace_id, visibility } }))
const names = (projects: unknown) => (Array.isArray(projects) ? projects.map((project) => field(project, "name")) : projects)

describe("projects in groups", () => {
  it("are shown with a group, those that the caller may see", async () => {
    const group = await create(newPath(), { visibility: "public" })
    await createProject(group, "open", "public")
    await createProject(group, "secret")
    const shown = async (person: "anonymous" | "administrator") =>
      names(field((await service.request("GET", `/groups/${group}`, as(person))).body, "projects"))
    expect([await shown("anonymous"), await shown("administrator")]).toEqual([["open"], ["secret", "open"]])
  })

  it("keep their group as visible as they are", async () => {
    const group = await create(newPath(), { visibility: "public" })
    await createProject(group, "open", "internal")
    const hide = await service.request("PUT", `/groups/${group}`, { json: { visibility: "private" } })
    expect(hide.body).toEqual({
      message: { visibility_level: ["private is not allowed since this group contains projects with higher visibility."] }
    })
  })

  it("share the paths with groups", async () => {
    const parent_id = await create(newPath())
    await createProject(parent_id, "taken")
    const group = await service.request("POST", "/groups", { json: { name: "n", path: "Taken", parent_id } })
    expect(group.body).toEqual({ message: 'Failed to save group {:path=>["has already been taken"]}' })
    await create("other", { parent_id })
    expect((await service.request("POST", "/projects", { json: { name: "other", namespace_id: parent_id } })).status).toBe(400)
  })

  it("go with their group, and with groups above it", async () => {
    const parent_id = await create(newPath())
    const [above, below] = [
      await createProject(parent_id, "above"),
      await createProject(await create("in", { parent_id }), "below")
    ]
    expect((await service.request("DELETE", `/groups/${parent_id}`)).status).toBe(202)
    for (const project of [above, below]) expect((await service.request("GET", `/projects/${project}`)).status).toBe(404)
  })

  it("lead their members to the groups around them", async () => {
    const parent_id = await create(newPath())
    const group = await create(newPath(), { parent_id })
    const project = await createProject(group, "within")
    const json = { user_id: userId("guest"), access_level: 20 }
    expect((await service.request("POST", `/projects/${project}/members`, { json })).status).toBe(201)
    const { body } = await service.request("GET", "/groups", as("guest", { query: { all_available: "false" } }))
    expect(Array.isArray(body) ? body.map(({ id }) => id).toSorted() : body).toEqual([parent_id, group].toSorted())
    expect((await service.request("GET", `/groups/${parent_id}`, as("guest"))).status).toBe(200)
    expect((await service.request("GET", `/groups/${group}/members`, as("reporter"))).status).toBe(404)
  })

  it("lose who leaves the group", async () => {
    const group = await create(newPath())
    const project = await createProject(group, "left")
    await join(group, userId("developer"), 30)
    const json = { user_id: userId("developer"), access_level: 40 }
    await service.request("POST", `/projects/${project}/members`, { json })
    await service.request("DELETE", `/groups/${group}/members/${userId("developer")}`)
    expect((await service.request("GET", `/projects/${project}/members/all/${userId("developer")}`)).status).toBe(404)
  })
})

describe("statistics of groups", () => {
  const sizeOf = async (project: number) => {
    const { body } = await service.request("GET", `/projects/${project}`, { query: { statistics: "true" } })
    return Number(field(field(body, "statistics"), "storage_size"))
  }
  const listed = async (path: string, person: "administrator" | "owner", more: Readonly<Record<string, string>> = {}) => {
    const query = { statistics: "true", min_access_level: "50", ...more }
    const { body } = await service.request("GET", path, as(person, { query }))
    return Array.isArray(body) ? body.map((group) => [field(group, "id"), field(group, "statistics")]) : body
  }

  it("sum what the projects directly in each take, and are for administrators where they are asked for", async () => {
    const made = async (namespace_id: number, name: string) => {
      const json = { name, namespace_id, initialize_with_readme: true }
      return idOf(await service.request("POST", "/projects", { json }))
    }
    const top = await create(newPath())
    const [full, empty] = [await create(newPath(), { parent_id: top }), await create(newPath(), { parent_id: top })]
    await join(top, userId("administrator"), 50)
    await join(top, userId("owner"), 50)
    const sizes = [await sizeOf(await made(full, "one")), await sizeOf(await made(full, "two"))]
    await createProject(full, "never-pushed-to")
    const [one = 0, two = 0] = sizes
    expect([one > 0, two > 0]).toEqual([true, true])
    const none = {
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 0,
      snippets_size: 0,
      uploads_size: 0
    }
    const of = (bytes: number) => ({ storage_size: bytes, repository_size: bytes, ...none })
    const below = `/groups/${top}/subgroups`
    expect(await listed("/groups", "administrator", { top_level_only: "true", pagination: "keyset" })).toEqual([[top, of(0)]])
    expect(await listed(below, "administrator")).toEqual([
      [full, of(one + two)],
      [empty, of(0)]
    ])
    expect(await listed(below, "administrator", { statistics: "false" })).toEqual([
      [full, undefined],
      [empty, undefined]
    ])
    expect(await listed(below, "owner")).toEqual([
      [full, undefined],
      [empty, undefined]
    ])
  })
})
