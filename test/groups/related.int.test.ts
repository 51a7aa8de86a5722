import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { detailsBody, groupBody, groupNotFound } from "./bodies.ts"
import { idOf, useGroups } from "./useGroups.ts"

const { service, as, create, join, newPath, userId } = useGroups()

const list = async (path: string, query: Readonly<Record<string, string>> = {}) =>
  (await service.request("GET", path, { query })).body
const idsOf = (body: unknown) => (Array.isArray(body) ? body.map((one) => Number(field(one, "id"))) : body)
const share = (thing: string, group_id: number, group_access = 30) =>
  service.request("POST", `${thing}/share`, { json: { group_id, group_access } })
const newProject = async (namespace_id: number) =>
  idOf(await service.request("POST", "/projects", { json: { name: newPath(), namespace_id } }))
const publicBody = (id: number, path: string) => ({
  id,
  web_url: `${service.url}/groups/${path}`,
  name: path,
  avatar_url: null,
  full_name: path,
  full_path: path
})

/** A group in a group, with a project; one group is invited to each of the three. */
const hierarchy = async () => {
  const [topPath, paths] = [newPath(), [newPath(), newPath(), newPath()] as const]
  const top = await create(topPath)
  const inner = await create("inner", { parent_id: top })
  const project = await newProject(inner)
  const [ofTop, ofInner, ofProject] = [await create(paths[0]), await create(paths[1]), await create(paths[2])]
  await share(`/groups/${top}`, ofTop, 10)
  await share(`/groups/${inner}`, ofInner)
  await share(`/projects/${project}`, ofProject)
  return { top, topPath, inner, project, ofTop, ofInner, ofProject, paths }
}

describe("groups that are invited", () => {
  it("to a group are told with those that are invited above it", async () => {
    const { inner, ofInner, ofTop, paths } = await hierarchy()
    const path = `/groups/${inner}/invited_groups`
    const [above, own] = [publicBody(ofTop, paths[0]), publicBody(ofInner, paths[1])]
    expectExactly(await list(path), [above, own])
    expectExactly(await list(path, { relation: "direct" }), [own])
    expectExactly(await list(path, { "relation[]": "inherited" }), [above])
    expectExactly(await list(path, { search: paths[1] }), [own])
    expect(await list(path, { relation: "far" })).toEqual({ error: "relation does not have a valid value" })
    await join(ofTop, userId("developer"), 30)
    const theirs = await service.request("GET", path, as("developer", { query: { min_access_level: "30" } }))
    expectExactly(theirs.body, [above])
    await service.request("DELETE", `/groups/${ofInner}`)
    expectExactly(await list(path), [above])
  })

  it("to a project are told with those that are invited above it", async () => {
    const { ofInner, ofProject, ofTop, paths, project } = await hierarchy()
    const path = `/projects/${project}/invited_groups`
    const ids = [ofTop, ofInner, ofProject] as const
    expectExactly(
      await list(path),
      ids.map((id, index) => publicBody(id, paths[index] ?? ""))
    )
    expect(idsOf(await list(path, { relation: "direct" }))).toEqual([ofProject])
    expect(idsOf(await list(path, { relation: "inherited" }))).toEqual([ofTop, ofInner])
  })

  it("tell to what they are invited", async () => {
    const { inner, ofInner, top, topPath } = await hierarchy()
    const differences = { full_name: `${topPath} / inner`, parent_id: top }
    const path = `/groups/${ofInner}/groups/shared`
    expectExactly(await list(path), [groupBody("inner", `${topPath}/inner`, service.url, differences)])
    expect(idsOf(await list(path, { skip_groups: String(inner) }))).toEqual([])
    expect((await service.request("GET", path, as("outsider"))).body).toEqual(groupNotFound)
  })
})

describe("the groups of a project", () => {
  it("are those around it, and if query those that are invited", async () => {
    const { inner, ofInner, ofProject, ofTop, project, top, topPath } = await hierarchy()
    const path = `/projects/${project}/groups`
    const inside = { ...publicBody(inner, `${topPath}/inner`), name: "inner", full_name: `${topPath} / inner` }
    expectExactly(await list(path), [publicBody(top, topPath), inside])
    expect(idsOf(await list(path, { skip_groups: String(top) }))).toEqual([inner])
    expect(idsOf(await list(path, { with_shared: "true" }))).toEqual([top, ofTop, ofInner, ofProject, inner])
    const least = { with_shared: "true", shared_min_access_level: "30" }
    expect(idsOf(await list(path, least))).toEqual([top, ofInner, ofProject, inner])
  })
})

describe("the projects of a group", () => {
  it("are those in it, with those that are shared with it unless they are not query", async () => {
    const { inner, ofProject, project, top } = await hierarchy()
    const own = await newProject(ofProject)
    const path = `/groups/${ofProject}/projects`
    expect(idsOf(await list(path))).toEqual([own, project])
    expect(idsOf(await list(path, { with_shared: "false" }))).toEqual([own])
    expect(idsOf(await list(`/groups/${top}/projects`))).toEqual([])
    expect(idsOf(await list(`/groups/${top}/projects`, { include_subgroups: "true" }))).toEqual([project])
    expect(idsOf(await list(`/groups/${inner}/projects`))).toEqual([project])
  })

  it("become more when an administrator brings one", async () => {
    const [path, from] = [newPath(), await create(newPath(), { visibility: "public" })]
    const to = await create(path)
    const name = newPath()
    const project = idOf(await service.request("POST", "/projects", { json: { name, namespace_id: from, visibility: "public" } }))
    const bring = (id: number | string) => service.request("POST", `/groups/${to}/projects/${id}`)
    const brought = await bring(project)
    expect(brought.status).toBe(201)
    expect(idsOf(field(brought.body, "projects"))).toEqual([project])
    expectExactly({ ...Object(brought.body), projects: [] }, detailsBody(path, path, service.url))
    const { body } = await service.request("GET", `/projects/${project}`)
    expect([field(body, "path_with_namespace"), field(body, "visibility")]).toEqual([`${path}/${name}`, "private"])
    const again = await bring(project)
    expect([again.status, again.body]).toEqual([
      400,
      { message: 'Failed to transfer project {:new_namespace=>["Project is already in this namespace."]}' }
    ])
    expect((await bring(999_999)).body).toEqual({ message: "404 Project Not Found" })
  })
})

it("no list has a statement of its own for each user or thing: each text stays prepared on the server", async () => {
  const asked = async (person: "guest" | "reporter") => {
    const group = await create(newPath(), { visibility: "public" })
    const project = idOf(
      await service.request("POST", "/projects", { json: { name: newPath(), namespace_id: group, visibility: "public" } })
    )
    await service.request("GET", "/version", as(person))
    const before = service.statements.length
    for (const path of [
      "/groups",
      `/groups/${group}/descendant_groups`,
      `/groups/${group}/invited_groups`,
      `/groups/${group}/projects?include_subgroups=true`,
      "/namespaces",
      "/projects",
      `/projects/${project}/groups?with_shared=true`,
      `/projects/${project}/users`,
      `/projects/${project}/members/all`
    ]) {
      expect((await service.request("GET", path, as(person))).status).toBe(200)
    }
    return new Set(service.statements.slice(before).filter((text) => /recursive|_own/.test(text)))
  }
  const one = await asked("guest")
  expect(await asked("reporter")).toEqual(one)
  expect(one.size).toBeGreaterThan(5)
})
