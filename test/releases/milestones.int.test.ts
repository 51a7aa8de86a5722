import { describe, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { milestoneShape, releaseShape } from "./shapes.ts"
import { at, useReleases } from "./useReleases.ts"

const { ask, done, list, make, newProject, pathOf, read, release, service } = useReleases()
const { request } = service

describe("milestones of a release", () => {
  it("have counts of their issues, come by due date, start date and title, and are not there when there are none", async () => {
    const project = await newProject("milestones")
    const titled = async (title: string, dates: object = {}) => make(`/projects/${project.id}/milestones`, { title, ...dates })
    const b = await titled("b")
    const a = await titled("a")
    const started = await titled("started", { start_date: "2030-02-01" })
    const late = await titled("late", { due_date: "2030-04-01", start_date: "2030-03-01" })
    const soon = await titled("soon", { due_date: "2030-03-01" })
    const early = await titled("early", { due_date: "2030-04-01", start_date: "2030-02-01" })
    const issue = (json: object) => make(`/projects/${project.id}/issues`, { title: "x", milestone_id: a, ...json })
    await issue({})
    await issue({ confidential: true })
    const closed = await request("POST", `/projects/${project.id}/issues`, { json: { title: "y", milestone_id: a } })
    await done("PUT", `/projects/${project.id}/issues/${field(closed.body, "iid")}`, { state_event: "close" })

    const of = (id: number, iid: number, title: string, more: object = {}) =>
      milestoneShape(service.url, project, { id, iid, title }, { ...more })
    const milestones = [
      of(soon, 5, "soon", { due_date: "2030-03-01" }),
      of(early, 6, "early", { due_date: "2030-04-01", start_date: "2030-02-01" }),
      of(late, 4, "late", { due_date: "2030-04-01", start_date: "2030-03-01" }),
      of(started, 3, "started", { start_date: "2030-02-01" }),
      of(a, 2, "a", { total: 3, closed: 1 }),
      of(b, 1, "b")
    ]
    const titles = ["b", "a", "started", "late", "soon", "early"]
    const shape = releaseShape(service.url, project, { tag: "v1" }, { milestones })
    expectExactly(await release(project.id, "v1", { milestones: titles }), shape)
    expectExactly(await read(project.id, "v1"), [200, shape])
    const put = (json: object) => ask("PUT", pathOf(project.id, "v1"), { json })
    expectExactly(await put({ description: null, name: "v1" }), [200, shape])
    expectExactly(await put({ milestone_ids: [a] }), [200, { ...shape, milestones: [milestones[4]] }])
    const none = releaseShape(service.url, project, { tag: "v1" })
    expectExactly(await put({ milestones: [] }), [200, none])
    expectExactly(await put({ milestones: "b" }), [200, { ...shape, milestones: [milestones[5]] }])
    expectExactly(await put({ milestone_ids: [] }), [200, none])
    expectExactly(await read(project.id, "v1"), [200, none])
  })

  it("may be those of a group, and are gone when they are deleted, or nobody reads milestones", async () => {
    const group = await make("/groups", { name: "Stoned", path: "stoned" })
    const project = await newProject("tool", { namespace_id: group })
    const id = await make(`/groups/${group}/milestones`, { title: "g" })
    const shown = {
      id,
      iid: 1,
      group_id: group,
      title: "g",
      description: null,
      state: "active",
      created_at: at(0),
      updated_at: at(0),
      due_date: null,
      start_date: null,
      expired: false,
      web_url: `${service.url}/groups/stoned/-/milestones/1`,
      issue_stats: { total: 0, closed: 0 }
    }
    const none = releaseShape(service.url, project, { tag: "v1" })
    const shape = releaseShape(service.url, project, { tag: "v1" }, { milestones: [shown] })
    expectExactly(await release(project.id, "v1", { milestones: ["g"] }), shape)
    const levels = (level: string) => ({ issues_access_level: level, merge_requests_access_level: level })
    await done("PUT", `/projects/${project.id}`, levels("disabled"))
    expectExactly(await read(project.id, "v1"), [200, none])
    await done("PUT", `/projects/${project.id}`, { ...levels("disabled"), issues_access_level: "enabled" })
    expectExactly(await read(project.id, "v1"), [200, shape])
    await request("DELETE", `/groups/${group}/milestones/${id}`)
    expectExactly(await read(project.id, "v1"), [200, none])
  })

  it("are kept from those who may read neither issues nor merge requests", async () => {
    const project = await newProject("kept", { visibility: "public" })
    const id = await make(`/projects/${project.id}/milestones`, { title: "m" })
    await release(project.id, "v1", { milestones: ["m"] })
    const seen = (milestones: ReadonlyArray<object> | undefined) =>
      releaseShape(service.url, project, { tag: "v1", mayChange: false }, { milestones })
    const all = seen([milestoneShape(service.url, project, { id, iid: 1, title: "m" })])
    const levels = (issues_access_level: string, merge_requests_access_level: string) =>
      done("PUT", `/projects/${project.id}`, { issues_access_level, merge_requests_access_level })
    for (const [issues, requests, expected] of [
      ["enabled", "private", all],
      ["private", "enabled", all],
      ["private", "private", seen(undefined)],
      ["private", "disabled", seen(undefined)]
    ] as const) {
      await levels(issues, requests)
      expectExactly(await read(project.id, "v1", { token: null }), [200, expected])
      expectExactly((await list(project.id, {}, { token: null })).body, [expected])
    }
  })
})
