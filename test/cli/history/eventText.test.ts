import { expect, it } from "vitest"
import { eventTexts } from "#src/cli/history/eventText.ts"

const named = {
  nameOf: (thing: string, id: number) => (id < 10 ? `${thing} ${id}` : undefined),
  cause: () => undefined
}
const metadata = { actor: "user:1", commandId: "c", correlationId: "c", requestId: "r" }

/** The lines of the fields of events of these types, with their data. */
const fieldsOfTypes = (...events: ReadonlyArray<readonly [type: string, data: object, stream?: string]>) => {
  const textOf = eventTexts()
  return events.map(([type, data, stream = "s-1"], revision) => {
    const event = {
      id: "e",
      stream,
      type,
      at: 0,
      position: revision,
      revision,
      hash: "",
      metadata,
      data,
      schemaVersion: 1
    }
    return textOf(event, named)
      .split("\n")
      .slice(1)
      .map((line) => line.trim())
  })
}

const fieldsOf = (...events: ReadonlyArray<object>) => fieldsOfTypes(...events.map((data) => ["Changed", data] as const))

it("tells what was before as the event does, else as one before told it", () => {
  const [, , title, description] = fieldsOf(
    { title: "A", targetBranch: "main", description: "a" },
    // Of a version, not of what somebody set.
    { targetBranch: "stable", title: "of something else" },
    { changes: { title: "B", targetBranch: "next" }, before: { title: "A", targetBranch: "main" } },
    { changes: { description: "b" }, before: {} }
  )
  expect(title).toEqual(['title: "A" -> "B"', 'target_branch: "main" -> "next"'])
  expect(description).toEqual(['description: "a" -> "b"'])
})

it("tells what was before where the type of an event says that it changes something: of each note and job by itself", () => {
  const lines = fieldsOfTypes(
    ["DiscussionStarted", { noteableId: 4 }],
    ["NoteAdded", { id: 5, body: "a" }],
    ["NoteAdded", { id: 6, body: "b" }],
    ["NoteChanged", { id: 5, body: "c" }],
    ["NoteChanged", { id: 6, body: "d" }, "s-2"],
    ["TimeEstimated", { seconds: 60 }],
    ["TimeSpent", { seconds: 5, total: 5 }],
    ["TimeEstimated", { seconds: 120 }],
    ["JobMoved", { id: 7, status: "pending" }],
    ["JobMoved", { id: 8, status: "manual" }],
    ["PipelineMoved", { status: "pending" }],
    ["JobMoved", { id: 7, status: "skipped" }],
    ["PipelineMoved", { status: "running" }]
  )
  expect(lines.slice(3)).toEqual([
    ["id: 5", 'body: "a" -> "c"'],
    ["id: 6", 'body: "d"'],
    ["time_estimate: 60"],
    ["time_spent: 5", "total_time_spent: 5"],
    ["time_estimate: 60 -> 120"],
    ["id: 7", 'status: "pending"'],
    ["id: 8", 'status: "manual"'],
    ['status: "pending"'],
    ["id: 7", 'status: "pending" -> "skipped"'],
    ['status: "pending" -> "running"']
  ])
})

it("tells what was before of each variable by its key", () => {
  const lines = fieldsOfTypes(
    ["VariableAdded", { key: "A", variableType: "env_var", value: "x", raw: false }],
    ["VariableAdded", { key: "B", variableType: "file", value: "y", raw: true }],
    ["VariableChanged", { key: "A", changes: { variableType: "file" } }],
    ["VariableChanged", { key: "B", changes: { raw: false } }],
    ["VariableRemoved", { key: "A" }],
    ["VariableAdded", { key: "A", variableType: "env_var", value: "z", raw: true }],
    ["VariableChanged", { key: "A", changes: { raw: false, value: "w" } }]
  )
  expect([lines[2], lines[3], lines[6]]).toEqual([
    ['key: "A"', 'variable_type: "env_var" -> "file"'],
    ['key: "B"', "raw: true -> false"],
    ['key: "A"', "raw: true -> false", 'value: "[sealed]" -> "[sealed]"']
  ])
})

it("tells the text before of the first note of a discussion, and of those that follow", () => {
  const lines = fieldsOfTypes(
    ["DiscussionStarted", { noteId: 5, isThread: true, body: "a" }],
    ["NoteAdded", { id: 6, body: "b" }],
    ["NoteChanged", { id: 5, body: "c" }],
    ["NoteChanged", { id: 6, body: "d" }],
    ["NoteChanged", { id: 5, body: "e" }]
  )
  expect(lines.slice(2)).toEqual([
    ["id: 5", 'body: "a" -> "c"'],
    ["id: 6", 'body: "b" -> "d"'],
    ["id: 5", 'body: "c" -> "e"']
  ])
})

it("tells the next run of a schedule and the one before, whatever event tells of it", () => {
  const next = (at: number) => ({ nextRun: { at, reason: "normal" } })
  const lines = fieldsOfTypes(
    ["ScheduleCreated", { isActive: true, ...next(1) }, "schedule-4"],
    ["SlotStarted", { scheduleId: 4, ...next(2) }, "scheduleSlot-4-1"],
    ["ScheduleChanged", { changes: { description: "b" } }, "schedule-4"],
    ["ScheduleChanged", { changes: {}, ...next(3) }, "schedule-4"],
    ["SlotsSkipped", { scheduleId: 4, nextRun: null }, "scheduleSlot-4-3"],
    ["NextRunReckoned", next(4), "schedule-4"],
    ["SlotStarted", { scheduleId: 5, ...next(9) }, "scheduleSlot-5-4"]
  )
  const time = (at: number) => `"1970-01-01T00:00:00.00${at}Z"`
  expect(lines).toEqual([
    ["active: true", `next_run_at: ${time(1)}`, 'next_run.reason: "normal"'],
    ["schedule_id: 4", `next_run_at: ${time(1)} -> ${time(2)}`, 'next_run.reason: "normal"'],
    ['description: "b"'],
    [`next_run_at: ${time(2)} -> ${time(3)}`, 'next_run.reason: "normal"'],
    ["schedule_id: 4", `next_run_at: ${time(3)} -> null`],
    [`next_run_at: null -> ${time(4)}`, 'next_run.reason: "normal"'],
    ["schedule_id: 5", `next_run_at: ${time(9)}`, 'next_run.reason: "normal"']
  ])
})

it("knows what events set without telling it", () => {
  const lines = fieldsOfTypes(
    ["ScheduleCreated", { isActive: true }],
    ["ScheduleDeactivated", { reason: "owner_blocked" }],
    ["ScheduleChanged", { changes: { isActive: true } }],
    ["JobMoved", { id: 7, status: "pending" }],
    ["JobClaimed", { id: 7, executor: "a" }],
    ["JobMoved", { id: 7, status: "canceled" }],
    ["JobMoved", { id: 8, status: "manual" }],
    ["JobReturned", { id: 8 }],
    ["JobMoved", { id: 8, status: "canceled" }]
  )
  expect([lines[2], lines[5], lines[8]]).toEqual([
    ["active: false -> true"],
    ["id: 7", 'status: "running" -> "canceled"'],
    ["id: 8", 'status: "pending" -> "canceled"']
  ])
})

it("tells users, labels and milestones by their names, and by their ids where they are gone", () => {
  expect(
    fieldsOfTypes(
      ["MergeRequestLabelsChanged", { by: 1, addedIds: [2, 30], removedIds: [] }],
      ["MergeRequestMilestoneChanged", { by: 30, from: 2, to: null }],
      ["Changed", { addedIds: [2], from: 2, userIds: [3], scheduledFor: 0 }]
    )
  ).toEqual([
    ["by: @user 1", 'added_ids: [~"label 2",30]', "removed_ids: []"],
    ["by: 30", 'from: %"milestone 2"', "to: null"],
    ["added_ids: [2]", "from: 2", "user_ids: [@user 3]", 'scheduled_for: "1970-01-01T00:00:00.000Z"']
  ])
})
