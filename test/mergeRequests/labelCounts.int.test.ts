import { beforeAll, describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import type { Sent } from "#test/support/service.ts"
import { type Person, useMergeRequests } from "./useMergeRequests.ts"

const { commit, get, member, newProject, open, person, put, remove, service } = useMergeRequests()
const { request } = service

const made = async (path: string, json: object) => Number(field((await request("POST", path, { json })).body, "id"))

let group = 0
let subgroup = 0
/** A project of the group, and a hidden one of the group below it. */
let [project, hidden] = [0, 0]
let outsider: Person
let guest: Person

const opened = async (id: number, source_branch: string, json: object) => {
  await commit(id, source_branch, { [`${source_branch}.txt`]: "a\n" })
  await open(id, { source_branch, ...json })
}

beforeAll(async () => {
  group = await made("/groups", { name: "counted", path: "counted", visibility: "public" })
  subgroup = await made("/groups", { name: "below", path: "below", parent_id: group, visibility: "private" })
  project = await newProject("counted-one", { namespace_id: group, visibility: "public" })
  hidden = await newProject("counted-two", { namespace_id: subgroup, visibility: "private" })
  ;[outsider, guest] = [await person("counting-outsider"), await member(project, "guest", "counting-guest")]
  await made(`/groups/${group}/labels`, { name: "shared", color: "red" })
  await made(`/projects/${project}/labels`, { name: "own", color: "red" })
  await made(`/projects/${project}/labels`, { name: "unused", color: "red" })
  await opened(project, "a", { labels: "shared,own" })
  await opened(project, "b", { labels: "shared" })
  await opened(project, "c", { labels: "shared,own" })
  await opened(project, "d", { labels: "own" })
  await opened(hidden, "a", { labels: "shared" })
  await put(project, 3, { state_event: "close" })
  await remove(project, 4)
})

const countsIn = async (place: string, sent: Sent = {}) => {
  const { body } = await request("GET", `/${place}/labels`, { query: { with_counts: "true" }, ...sent })
  return Object.fromEntries([body].flat().map((label) => [field(label, "name"), field(label, "open_merge_requests_count")]))
}

describe("labels", () => {
  it("are counted in open merge requests of the project", async () => {
    expect(await countsIn(`projects/${project}`)).toEqual({ own: 1, shared: 2, unused: 0 })
    expect(await countsIn(`projects/${hidden}`)).toEqual({ shared: 1 })
  })

  it("are counted in those of a group that the caller may see", async () => {
    expect(await countsIn(`groups/${group}`)).toEqual({ shared: 3 })
    expect(await countsIn(`groups/${group}`, { token: outsider.token })).toEqual({ shared: 2 })
    expect(await countsIn(`groups/${group}`, { token: null })).toEqual({ shared: 2 })
  })

  it("are not counted for those who may not see merge requests", async () => {
    await request("PUT", `/projects/${project}`, { json: { merge_requests_access_level: "private" } })
    expect(await countsIn(`projects/${project}`, { token: guest.token })).toEqual({ own: 0, shared: 0, unused: 0 })
    await request("PUT", `/projects/${project}`, { json: { merge_requests_access_level: "enabled" } })
  })
})

it("counts of labels follow what becomes of merge requests", async () => {
  const id = await newProject("counted-later")
  const counts = () => countsIn(`projects/${id}`)
  await opened(id, "a", { labels: "x,y" })
  await opened(id, "b", { labels: "x" })
  expect(await counts()).toEqual({ x: 2, y: 1 })
  await put(id, 1, { state_event: "close", remove_labels: "y" })
  await put(id, 2, { add_labels: "y" })
  expect(await counts()).toEqual({ x: 1, y: 1 })
  await put(id, 1, { state_event: "reopen" })
  await request("PUT", `/projects/${id}/merge_requests/2/merge`)
  expect(await counts()).toEqual({ x: 1, y: 0 })
  await remove(id, 1)
  expect(await counts()).toEqual({ x: 0, y: 0 })
  const left = Sql.use(({ client }) => query(() => client`select from rm_merge_requests.label_counts where project_id = ${id}`))
  expect((await service.run(left)).length).toBe(0)
})

describe("milestones", () => {
  it("have merge requests, as far as the caller may see them, the newest first", async () => {
    const [ofGroup, ofProject] = [
      await made(`/groups/${group}/milestones`, { title: "Spring" }),
      await made(`/projects/${project}/milestones`, { title: "1.0" })
    ]
    await put(project, 1, { milestone_id: ofGroup })
    await put(project, 2, { milestone_id: ofProject })
    await put(project, 3, { milestone_id: ofProject })
    await put(hidden, 1, { milestone_id: ofGroup })
    const within = async (path: string, sent: Sent = {}) => (await request("GET", `${path}/merge_requests`, sent)).body
    const iids = (body: unknown) => [body].flat().map((one) => [field(one, "project_id"), field(one, "iid")])
    const shown = await within(`/projects/${project}/milestones/${ofProject}`)
    expect(iids(shown)).toEqual([
      [project, 3],
      [project, 2]
    ])
    expect([shown].flat()[1]).toEqual([(await get(project, undefined, { query: { "iids[]": "2" } })).body].flat()[0])
    const ofBoth = `/groups/${group}/milestones/${ofGroup}`
    expect(iids(await within(ofBoth))).toEqual([
      [hidden, 1],
      [project, 1]
    ])
    expect(iids(await within(ofBoth, { token: outsider.token }))).toEqual([[project, 1]])
    expect(iids(await within(ofBoth, { query: { per_page: "1", page: "2" } }))).toEqual([[project, 1]])
    expect((await request("GET", `/projects/${project}/milestones/${ofGroup}/merge_requests`)).status).toBe(404)
    const path = `/projects/${project}/milestones/${ofProject}`
    expect(iids(await within(path, { token: guest.token }))).toEqual(iids(shown))
    await request("PUT", `/projects/${project}`, { json: { merge_requests_access_level: "private" } })
    expect(await within(path, { token: guest.token })).toEqual([])
    await request("PUT", `/projects/${project}`, { json: { merge_requests_access_level: "enabled" } })
  })
})
