import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { award, label, milestone, note, stateEvent, times } from "./shapes.ts"
import { at, useContent } from "./useContent.ts"

const { done, exported, make, member, minute, post, read, recordsOf, textOf } = useContent()

const ids = { project: 0, group: 0, developer: 0 }
const odd = `needs "care" & \u00fcn\u00efcode \u{1f600}`
const title = `Uploads "fail"\u2028`
const description = "One\ttab\\\n- [ ] task\u0001"
/** The ids of discussions of the first issue, in their order. */
let discussions: ReadonlyArray<unknown> = []

beforeAll(async () => {
  ids.group = await make("/groups", { name: "planning", path: "planning" })
  ids.project = await make("/projects", { name: "planned", namespace_id: ids.group })
  const project = `/projects/${ids.project}`
  const developer = await member(ids.project, "developer", "planner")
  ids.developer = developer.id
  minute(1)
  const color = "#d9534f"
  await post(`/groups/${ids.group}/labels`, { name: "shared", color })
  await post(`${project}/labels`, { name: "bug", color, description: "Broken", priority: 2 })
  await post(`${project}/labels`, { name: odd, color })
  minute(2)
  await done("PUT", `${project}/labels/bug`, { priority: 3 })
  const dates = { start_date: "2030-01-02", due_date: "2030-02-01" }
  const first = await make(`${project}/milestones`, { title: "v1", description: "First", ...dates })
  const second = await make(`${project}/milestones`, { title: "v2" })
  const ofGroup = await make(`/groups/${ids.group}/milestones`, { title: "Quarter" })
  minute(3)
  await done("PUT", `${project}/milestones/${second}`, { state_event: "close" })
  minute(4)
  const labels = { labels: `bug,shared` }
  const more = { milestone_id: first, due_date: "2030-03-01", assignee_ids: [developer.id, 1] }
  await post(`${project}/issues`, { title, description, ...labels, ...more })
  await post(`${project}/issues`, { title: "Secret", confidential: true, milestone_id: ofGroup }, developer.token)
  const gone = await make(`${project}/milestones`, { title: "gone" })
  await post(`${project}/labels`, { name: "gone", color })
  await post(`${project}/issues`, { title: "Plane", labels: "gone", milestone_id: gone })
  minute(5)
  const noteId = await make(`${project}/issues/1/notes`, { body: "Seen it" }, developer.token)
  minute(6)
  await post(`${project}/issues/1/notes`, { body: "For members only", internal: true })
  await post(`${project}/issues/1/notes/${noteId}/award_emoji`, { name: "rocket" })
  await post(`${project}/issues/1/award_emoji`, { name: "thumbsup" }, developer.token)
  minute(7)
  const thread = field(await post(`${project}/issues/1/discussions`, { body: "Why?" }), "id")
  minute(8)
  await post(`${project}/issues/1/discussions/${thread}/notes`, { body: "Because" }, developer.token)
  minute(9)
  await done("PUT", `${project}/issues/2`, { state_event: "close", discussion_locked: true })
  await done("PUT", `${project}/issues/3`, { state_event: "close" })
  await done("DELETE", `${project}/milestones/${gone}`)
  await done("DELETE", `${project}/labels/gone`)
  minute(10)
  await done("PUT", `${project}/issues/3`, { state_event: "reopen" })
  await done("PUT", `${project}/issues/3`, { title: "Plain" })
  discussions = [await read(`${project}/issues/1/discussions`)].flat().map((each) => field(each, "id"))
  await exported(ids.project)
})

const bug = () =>
  label(
    { title: "bug", made: 1 },
    { project_id: ids.project },
    {
      updated_at: at(2),
      description: "Broken",
      priorities: [{ project_id: ids.project, priority: 3, ...times(1, 2) }]
    }
  )
const first = () =>
  milestone(
    { title: "v1", made: 2 },
    { iid: 1, project_id: ids.project },
    { description: "First", due_date: "2030-02-01", start_date: "2030-01-02" }
  )

describe("the planning of a project", () => {
  it("has its labels, with their priorities, and none of its groups", async () => {
    const records = await recordsOf(ids.project, "labels")
    expectExactly(records, [bug(), label({ title: odd, made: 1 }, { project_id: ids.project })])
  })

  it("is text as JSON has it, a line for each", async () => {
    const { project } = ids
    const line = `{"title":"needs \\"care\\" & \u00fcn\u00efcode \u{1f600}","color":"#d9534f","project_id":${project},"created_at":"2030-01-01T00:01:00.000Z","updated_at":"2030-01-01T00:01:00.000Z","template":false,"description":null,"group_id":null,"type":"ProjectLabel","priorities":[]}\n`
    const text = await textOf(project, "labels")
    expect([text.endsWith(`}\n${line}`), text.split("\n").length]).toEqual([true, 3])
  })

  it("has its milestones", async () => {
    const second = milestone(
      { title: "v2", made: 2 },
      { iid: 2, project_id: ids.project },
      { updated_at: at(3), state: "closed" }
    )
    expectExactly(await recordsOf(ids.project, "milestones"), [
      { ...first(), events: [] },
      { ...second, events: [] }
    ])
  })
})

describe("the issues of a project", () => {
  const issue = (
    iid: number,
    named: object,
    more: { readonly nested?: object; readonly notes?: ReadonlyArray<object> } = {}
  ) => ({
    title: "",
    author_id: 1,
    project_id: ids.project,
    ...times(4),
    description: null,
    iid,
    updated_by_id: null,
    confidential: false,
    closed_at: null,
    closed_by_id: null,
    due_date: null,
    lock_version: 0,
    weight: null,
    time_estimate: 0,
    relative_position: null,
    last_edited_at: null,
    last_edited_by_id: null,
    discussion_locked: null,
    health_status: null,
    issue_type: "issue",
    state: "opened",
    events: [],
    timelogs: [],
    ...named,
    notes: more.notes ?? [],
    label_links: [],
    milestone: null,
    resource_label_events: [],
    resource_milestone_events: [],
    resource_state_events: [],
    designs: [],
    design_versions: [],
    issue_assignees: [],
    zoom_meetings: [],
    sentry_issue: null,
    award_emoji: [],
    work_item_type: { base_type: "issue" },
    ...more.nested
  })
  const noteOf = (text: string, made: number, isOfDeveloper: boolean, more: object) => {
    const author = isOfDeveloper ? { author_id: ids.developer, name: "planner" } : { author_id: 1, name: "Administrator" }
    return note("Issue", ids.project, { note: text, made, ...author }, more)
  }

  it("come with their notes, labels, milestones, assignees and emoji", async () => {
    const { developer, group, project } = ids
    const [one, two, three] = discussions
    const thread = { type: "DiscussionNote", discussion_id: three }
    const isLinked = (linked: object) => ({ target_type: "Issue", label: linked })
    const [record] = await recordsOf(project, "issues")
    expectExactly(
      record,
      issue(
        1,
        { title, description, updated_at: at(8), due_date: "2030-03-01" },
        {
          notes: [
            noteOf("Seen it", 5, true, { discussion_id: one, award_emoji: [award("Note", "rocket", { by: 1, made: 6 })] }),
            noteOf("For members only", 6, false, { discussion_id: two, confidential: true }),
            noteOf("Why?", 7, false, thread),
            noteOf("Because", 8, true, thread)
          ],
          nested: {
            label_links: [isLinked(label({ title: "shared", made: 1 }, { group_id: group })), isLinked(bug())],
            milestone: first(),
            issue_assignees: [{ user_id: developer }, { user_id: 1 }],
            award_emoji: [award("Issue", "thumbsup", { by: developer, made: 6 })]
          }
        }
      )
    )
  })

  it("are opened and closed, secret or not, and in the order in which they were made", async () => {
    const { developer, group, project } = ids
    const [, second, third, ...others] = await recordsOf(project, "issues")
    const closed = { updated_at: at(9), closed_at: at(9), closed_by_id: 1, state: "closed" }
    expectExactly(
      second,
      issue(
        2,
        { title: "Secret", author_id: developer, confidential: true, discussion_locked: true, ...closed },
        {
          nested: {
            milestone: milestone({ title: "Quarter", made: 2 }, { iid: 1, group_id: group }),
            resource_state_events: [stateEvent("closed", { by: 1, made: 9 })]
          }
        }
      )
    )
    const changes = [stateEvent("closed", { by: 1, made: 9 }), stateEvent("reopened", { by: 1, made: 10 })]
    expectExactly(third, issue(3, { title: "Plain", updated_at: at(10) }, { nested: { resource_state_events: changes } }))
    expect(others).toEqual([])
  })

  it("of another project are in its export alone", async () => {
    const other = await make("/projects", { name: "other", namespace_id: ids.group })
    await post(`/projects/${other}/issues`, { title: "Elsewhere", labels: "shared" })
    await exported(other)
    const records = await recordsOf(other, "issues")
    expect(records.map((each) => [field(each, "title"), field(each, "iid"), field(each, "project_id")])).toEqual([
      ["Elsewhere", 1, other]
    ])
    expect(await textOf(other, "labels")).toBe("")
  })
})
