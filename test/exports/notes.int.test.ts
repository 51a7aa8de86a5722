import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field, picked } from "#test/support/exactly.ts"
import { award, note, times } from "./shapes.ts"
import { at, useContent } from "./useContent.ts"

const { commit, done, exported, make, member, minute, newProject, person, post, read, recordsOf } = useContent()

/** The notes of the first merge request in the export of a project. */
const notesOf = async (projectId: number): Promise<ReadonlyArray<unknown>> => {
  const [record] = await recordsOf(projectId, "merge_requests")
  return [field(record, "notes")].flat()
}
/** The texts of notes of the service: as they are exported, and as the interface shows them. */
const textsOf = async (projectId: number) => {
  await exported(projectId, { json: { batched: true } })
  await exported(projectId)
  const exportedOnes = (await notesOf(projectId)).filter((each) => field(each, "system"))
  const query = { activity_filter: "only_activity", sort: "asc", order_by: "created_at", per_page: "100" }
  const shown = [await read(`/projects/${projectId}/merge_requests/1/notes`, query)].flat()
  return { exported: exportedOnes.map((each) => field(each, "note")), shown: shown.map((each) => field(each, "body")) }
}
/** A project with a merge request, and how that is changed. */
const newRequest = async (name: string) => {
  const id = await newProject(name)
  const path = `/projects/${id}/merge_requests`
  await post(path, { title: "Topic", source_branch: "topic", target_branch: "main" })
  return { id, path: `${path}/1`, change: (json: object, token?: string) => done("PUT", `${path}/1`, json, token) }
}

describe("the notes of people below a merge request", () => {
  const ids = { project: 0, developer: 0 }
  let refs: object = {}
  let discussions: ReadonlyArray<unknown> = []

  beforeAll(async () => {
    const { id, path } = await newRequest("noted")
    const developer = await member(id, "developer", "noter")
    Object.assign(ids, { project: id, developer: developer.id })
    minute(1)
    const noteId = await make(`${path}/notes`, { body: 'Says "hello"\n\u2028' }, developer.token)
    await post(`${path}/notes/${noteId}/award_emoji`, { name: "eyes" })
    minute(2)
    await post(`${path}/notes`, { body: "For members only", internal: true })
    minute(3)
    const thread = field(await post(`${path}/discussions`, { body: "Open" }), "id")
    await post(`${path}/discussions/${thread}/notes`, { body: "Still open" }, developer.token)
    minute(4)
    const over = field(await post(`${path}/discussions`, { body: "Over" }, developer.token), "id")
    refs = field(await read(path), "diff_refs") as object
    const position = { ...refs, position_type: "text", new_path: "topic.txt", new_line: 1 }
    await post(`${path}/discussions`, { body: "This line", position })
    minute(5)
    await done("PUT", `${path}/discussions/${over}`, { resolved: true })
    minute(6)
    const changed = await make(`${path}/notes`, { body: "Frist" })
    const removed = await make(`${path}/notes`, { body: "Nothing" })
    minute(7)
    await done("PUT", `${path}/notes/${changed}`, { body: "First" })
    await done("DELETE", `${path}/notes/${removed}`)
    discussions = [await read(`${path}/discussions`)].flat().map((each) => field(each, "id"))
    await exported(id)
  })

  it("come with all that is known of them", async () => {
    const { developer, project } = ids
    const of = (text: string, made: number, isOfDeveloper: boolean, more: object) => {
      const author = isOfDeveloper ? { author_id: developer, name: "noter" } : { author_id: 1, name: "Administrator" }
      return note("MergeRequest", project, { note: text, made, ...author }, more)
    }
    const [plain, internal, open, over, onDiff, changed] = discussions
    const thread = { type: "DiscussionNote", discussion_id: open }
    const position = {
      ...picked(refs, "base_sha", "start_sha", "head_sha"),
      old_path: "topic.txt",
      new_path: "topic.txt",
      position_type: "text",
      old_line: null,
      new_line: 1,
      line_range: null
    }
    const resolution = { resolved_at: at(5), resolved_by_id: 1 }
    expectExactly(await notesOf(project), [
      of('Says "hello"\n\u2028', 1, true, {
        discussion_id: plain,
        award_emoji: [award("Note", "eyes", { by: 1, made: 1 })]
      }),
      of("For members only", 2, false, { discussion_id: internal, confidential: true }),
      of("Open", 3, false, thread),
      of("Still open", 3, true, thread),
      of("Over", 4, true, { type: "DiscussionNote", discussion_id: over, updated_at: at(5), ...resolution }),
      of("This line", 4, false, {
        type: "DiffNote",
        discussion_id: onDiff,
        line_code: "f08a82604a570f8def549e49fb4b5a88da1c8572_0_1",
        position,
        original_position: position
      }),
      of("First", 6, false, { discussion_id: changed, updated_at: at(7) })
    ])
  })
})

describe("the notes of the service below a merge request", () => {
  it("come as what they are, by whom it was done", async () => {
    const { change, id } = await newRequest("told")
    const developer = await member(id, "developer", "teller")
    minute(10)
    await change({ state_event: "close" }, developer.token)
    await exported(id)
    const isSystem = { system: true, discussion_id: expect.stringMatching(/^[0-9a-f]{40}$/) }
    const told = { note: "closed", author_id: developer.id, name: "teller", made: 10 }
    const metadata = { system_note_metadata: { commit_count: null, action: null, ...times(10) } }
    expectExactly(await notesOf(id), [note("MergeRequest", id, told, { ...isSystem, ...metadata })])
  })

  it("name people as the interface does: one, two, three, and who is deleted", async () => {
    const { change, id } = await newRequest("people")
    const [ann, bob, cid] = [await person("ann"), await person("bob"), await person("cid")]
    for (const { id: user_id } of [ann, bob, cid]) await post(`/projects/${id}/members`, { user_id, access_level: 30 })
    await change({ assignee_ids: [ann.id] })
    await change({ assignee_ids: [bob.id, cid.id] })
    await change({ assignee_ids: [ann.id, bob.id, cid.id, 1], reviewer_ids: [cid.id, ann.id, bob.id] })
    await change({ assignee_ids: [], reviewer_ids: [1] })
    await change({ reviewer_ids: [] })
    await done("PUT", `/users/${bob.id}`, { username: "robert" })
    await done("DELETE", `/users/${cid.id}`, { hard_delete: true })
    const { exported: texts, shown } = await textsOf(id)
    expect(texts).toEqual([
      "assigned to @ann",
      "assigned to @robert and @ghost and unassigned @ann",
      "assigned to @ann and @root",
      "requested review from @ghost, @ann, and @robert",
      "unassigned @ann, @robert, @ghost, and @root",
      "requested review from @root and removed review request for @ghost, @ann, and @robert",
      "removed review request for @root"
    ])
    expect(texts).toEqual(shown)
  })

  it("name labels as the interface does: odd ones, renamed ones, deleted ones, and very many", async () => {
    const { change, id } = await newRequest("labels")
    await change({ labels: "bug,two words,a.b:c-d_e,\u00fcber,old" })
    await change({ remove_labels: "bug" })
    await change({ add_labels: "bug", remove_labels: "two words,old" })
    await done("PUT", `/projects/${id}/labels/old`, { new_name: "quite new" })
    await done("DELETE", `/projects/${id}/labels/bug`)
    const many = Array.from({ length: 102 }, (_, index) => `n${index}`)
    await change({ labels: many.slice(0, 100).join(",") })
    await change({ labels: "" })
    await change({ labels: many.join(",") })
    const { exported: texts, shown } = await textsOf(id)
    const hundred = many.slice(0, 100).map((name) => `~${name}`)
    expect(texts.map((text) => String(text).replace(/(~n\d+ )+/g, "~n\u2026 "))).toEqual([
      'added ~"deleted label" ~"two words" ~a.b:c-d_e ~"\u00fcber" ~"quite new" labels',
      'removed ~"deleted label" label',
      'added ~"deleted label" label and removed ~"two words" ~"quite new" labels',
      'added ~n\u2026 labels and removed ~a.b:c-d_e ~"\u00fcber" ~"deleted label" labels',
      "removed ~n\u2026 labels",
      "added ~n\u2026 and 2 more labels"
    ])
    expect(texts.at(-1)).toBe(`added ${hundred.join(" ")} and 2 more labels`)
    expect(texts).toEqual(shown)
  })

  it("name milestones as the interface does", async () => {
    const { change, id } = await newRequest("milestones")
    const milestone = (title: string) => make(`/projects/${id}/milestones`, { title })
    const [first, second] = [await milestone('v1 "beta"'), await milestone("v2")]
    await change({ milestone_id: first })
    await change({ milestone_id: second })
    await change({ milestone_id: 0 })
    await done("PUT", `/projects/${id}/milestones/${first}`, { title: "v1" })
    await done("DELETE", `/projects/${id}/milestones/${second}`)
    const { exported: texts, shown } = await textsOf(id)
    expect(texts).toEqual(['changed milestone to %"v1"', 'changed milestone to %"deleted milestone"', "removed milestone"])
    expect(texts).toEqual(shown)
  })

  it("tell of all else as the interface does", async () => {
    const { change, id, path } = await newRequest("all-else")
    await change({ title: "Draft: Add a topic", description: "Why" })
    await change({ title: "Add one topic" })
    await change({ discussion_locked: true })
    await change({ discussion_locked: false })
    await post(`${path}/time_estimate`, { duration: "3h" })
    await post(`${path}/add_spent_time`, { duration: "1h" })
    await post(`${path}/reset_spent_time`)
    await post(`${path}/approve`)
    await post(`${path}/unapprove`)
    const thread = field(await post(`${path}/discussions`, { body: "Open" }), "id")
    await done("PUT", `${path}/discussions/${thread}`, { resolved: true })
    await commit(id, "other", { "other.txt": "other\n" })
    await change({ target_branch: "other" })
    await change({ state_event: "close" })
    await change({ state_event: "reopen" })
    const { exported: texts, shown } = await textsOf(id)
    expect(texts).toEqual([
      "marked this merge request as **draft**",
      "changed title from **{-T-}opic** to **{+Draft: Add a t+}opic**",
      "changed the description",
      "marked this merge request as **ready**",
      "changed title from **{-Draft: Add a-} topic** to **{+Add one+} topic**",
      "locked the discussion in this merge request",
      "unlocked the discussion in this merge request",
      "changed time estimate to 3h",
      "added 1h of time spent",
      "removed time spent",
      "approved this merge request",
      "unapproved this merge request",
      "resolved all threads",
      "changed target branch from `main` to `other`",
      "closed",
      "reopened"
    ])
    expect(texts).toEqual(shown)
  })
})
