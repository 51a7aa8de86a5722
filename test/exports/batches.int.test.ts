import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { IssueEvent, issueCodec } from "#src/issues/events.ts"
import { issueStream } from "#src/issues/ids.ts"
import { LabelEvent, labelCodec } from "#src/labels/events.ts"
import { labelStream } from "#src/labels/ids.ts"
import { DiscussionEvent, discussionCodec } from "#src/notes/events.ts"
import { discussionStream } from "#src/notes/ids.ts"
import { record } from "#src/platform/Commands.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { at, useContent } from "./useContent.ts"

const { download, exported, make, recordsOf, service, status, textOf } = useContent()

/** Ids that nothing else has, in the order in which they are taken. */
let nextId = 1_000_000
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** So many labels of a project, as if they had been made there one after the other. */
const addLabels = (projectId: number, count: number) =>
  Effect.forEach(
    upTo(count),
    (number) => {
      const settings = { title: `label ${number}`, description: null, color: "#fff", priority: null }
      const parent = { kind: "project", id: projectId } as const
      return record(labelCodec, labelStream(nextId++), [LabelEvent.cases.LabelCreated.make({ parent, settings })])
    },
    { discard: true }
  )

const issue = {
  authorId: 1,
  description: null,
  assigneeIds: [],
  labelIds: [],
  milestoneId: null,
  dueDate: null,
  isConfidential: false,
  isDiscussionLocked: null
}
const addIssues = (projectId: number, count: number) =>
  Effect.forEach(
    upTo(count),
    (iid) => {
      const opened = IssueEvent.cases.IssueOpened.make({ id: nextId++, title: `issue ${iid}`, ...issue })
      return record(issueCodec, issueStream({ projectId, iid }), [opened])
    },
    { discard: true }
  )

/** A discussion of an issue with these notes. */
const addNotes = (projectId: number, iid: number, bodies: ReadonlyArray<string>) => {
  const note = { authorId: 1, isInternal: false, position: null }
  const rootId = nextId
  const stream = discussionStream({ type: "issue", projectId, iid, rootId })
  const events = bodies.map((body, index) => {
    const id = nextId++
    return index === 0
      ? DiscussionEvent.cases.DiscussionStarted.make({ noteId: id, isThread: true, body, ...note })
      : DiscussionEvent.cases.NoteAdded.make({ id, isResolved: false, body, ...note })
  })
  return record(discussionCodec, stream, events)
}

/** What JSON has to escape, and characters of two units. */
const long = '"\\\n"note":""\u2028\u00e4\u{1f600}'.repeat(30_000)
const longNotes = upTo(4).map((number) => `${number} ${long}`)
const manyNotes = upTo(1_100).map((number) => `note ${number}`)

const projects = { many: 0, even: 0 }

beforeAll(async () => {
  projects.many = await make("/projects", { name: "many" })
  projects.even = await make("/projects", { name: "even" })
  await service.run(
    Effect.gen(function* () {
      yield* addLabels(projects.many, 2_001)
      yield* addIssues(projects.many, 1_001)
      yield* addNotes(projects.many, 2, manyNotes)
      yield* addNotes(projects.many, 1_000, longNotes)
      yield* addNotes(projects.many, 1_001, ["the last"])
      yield* addLabels(projects.even, 1_000)
      yield* settled
    })
  )
})

const batch = (batch_number: number, objects_count: number) => ({
  status: 1,
  batch_number,
  objects_count,
  error: null,
  updated_at: at(0)
})
const entry = (relation: string, ...objects: ReadonlyArray<number>) => ({
  relation,
  status: 1,
  error: null,
  updated_at: at(0),
  batched: true,
  batches_count: objects.length,
  batches: objects.map((count, index) => batch(index + 1, count))
})
const statusOf = async (id: number, relation: string) => (await status(id, { query: { relation } }))[1]
const batchOf = (id: number, relation: string, number: number) =>
  textOf(id, relation, { batched: "true", batch_number: String(number) })

const lineOf = (id: number, number: number) =>
  `{"title":"label ${number}","color":"#fff","project_id":${id},"created_at":"${at(0)}","updated_at":"${at(0)}","template":false,"description":null,"group_id":null,"type":"ProjectLabel","priorities":[]}\n`
const linesOf = (id: number, from: number, to: number) =>
  upTo(to)
    .slice(from - 1)
    .map((number) => lineOf(id, number))
    .join("")

describe("batches", () => {
  beforeAll(async () => {
    await exported(projects.many, { json: { batched: true } })
    await exported(projects.even, { json: { batched: true } })
  })

  it("have a thousand records each, but for the last one", async () => {
    expectExactly(await statusOf(projects.many, "labels"), [entry("labels", 1_000, 1_000, 1)])
    expectExactly(await statusOf(projects.many, "issues"), [entry("issues", 1_000, 1)])
    expectExactly(await statusOf(projects.even, "labels"), [entry("labels", 1_000)])
  })

  it("hold the records in their order, each one once", async () => {
    const { even, many } = projects
    expect(await batchOf(many, "labels", 1)).toBe(linesOf(many, 1, 1_000))
    expect(await batchOf(many, "labels", 2)).toBe(linesOf(many, 1_001, 2_000))
    expect(await batchOf(many, "labels", 3)).toBe(lineOf(many, 2_001))
    expect(await batchOf(even, "labels", 1)).toBe(linesOf(even, 1, 1_000))
  })

  it("are as many as there are", async () => {
    const query = { relation: "labels", batched: "true", batch_number: "4" }
    expect((await download(projects.many, query)).status).toBe(404)
    expect((await download(projects.many, { ...query, batch_number: "3" })).status).toBe(200)
  })

  it("are together what is exported in one piece", async () => {
    const { many } = projects
    const labels = [await batchOf(many, "labels", 1), await batchOf(many, "labels", 2), await batchOf(many, "labels", 3)]
    const issues = [await batchOf(many, "issues", 1), await batchOf(many, "issues", 2)]
    await exported(many)
    expect(await textOf(many, "labels")).toBe(labels.join(""))
    expect(await textOf(many, "issues")).toBe(issues.join(""))
  })
})

describe("an export in one piece", () => {
  beforeAll(() => exported(projects.many))

  it("has all records", async () => {
    expect(await textOf(projects.many, "labels")).toBe(linesOf(projects.many, 1, 2_001))
    const iids = (await recordsOf(projects.many, "issues")).map((each) => [field(each, "iid"), field(each, "title")])
    expect(iids).toEqual(upTo(1_001).map((iid) => [iid, `issue ${iid}`]))
  })

  it("has notes whole and in their order, however many and however long", async () => {
    const issues = await recordsOf(projects.many, "issues")
    const notesOf = (iid: number) => [field(issues[iid - 1], "notes")].flat().map((each) => field(each, "note"))
    expect([notesOf(1), notesOf(2), notesOf(3)]).toEqual([[], manyNotes, []])
    // A difference of texts of this length would take very long to show.
    expect(notesOf(1_000).map((text) => longNotes.indexOf(String(text)))).toEqual([0, 1, 2, 3])
    expect(notesOf(1_001)).toEqual(["the last"])
  })
})
