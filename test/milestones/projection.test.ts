import { expect, it } from "vitest"
import { milestonesReadModel } from "#projections/milestones/projection.ts"
import { MilestoneEvent, milestoneCodec } from "#src/milestones/events.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { created } from "./samples.ts"

const { at } = recorded
const { cases } = MilestoneEvent

const changesOf = (event: MilestoneEvent, stream = "milestone-9") =>
  changesIn(milestonesReadModel)(milestoneCodec.encode(event), stream)

const patch = (columns: object) => [
  { _tag: "Patch", table: "milestones", key: { id: 9 }, columns: { ...columns, updated_at: at } }
]

it("a new milestone is an active row, and a number that stays", () => {
  const numbered = { project_id: 4, group_id: null, iid: 3 }
  const settings = { title: "1.0", description: null, start_date: "2026-01-01", due_date: "2026-03-31" }
  expect(changesOf(created)).toEqual([
    { _tag: "IdTaken", kind: "milestone", id: 9 },
    {
      _tag: "Put",
      table: "milestones",
      row: { id: 9, ...numbered, ...settings, state: "active", created_at: at, updated_at: at }
    },
    { _tag: "Put", table: "numbers", row: { milestone_id: 9, ...numbered } }
  ])
})

it.each<[MilestoneEvent, ReadonlyArray<object>]>([
  [cases.MilestoneChanged.make({ changes: { title: "1.1", dueDate: null } }), patch({ title: "1.1", due_date: null })],
  [cases.MilestoneClosed.make({}), patch({ state: "closed" })],
  [cases.MilestoneActivated.make({}), patch({ state: "active" })],
  [cases.MilestoneDeleted.make({}), [{ _tag: "Remove", table: "milestones", key: { id: 9 } }]]
])("%j", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("milestones and their numbers go with their project", () => {
  const where = { project_id: 4 }
  expect(changesIn(milestonesReadModel)(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual([
    { _tag: "RemoveWhere", table: "milestones", where },
    { _tag: "RemoveWhere", table: "numbers", where }
  ])
})

it("has nothing to do with other streams", () => {
  expect(changesOf(created, "label-9")).toEqual([])
})
