import { expect, it } from "vitest"
import { labelsReadModel } from "#projections/labels/projection.ts"
import { GroupEvent, groupCodec } from "#src/groups/events.ts"
import { LabelEvent, labelCodec } from "#src/labels/events.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { created, settings } from "./samples.ts"

const { at } = recorded
const { cases } = LabelEvent

const changesOf = (event: LabelEvent, stream = "label-9") => changesIn(labelsReadModel)(labelCodec.encode(event), stream)

const row = { id: 9, title: "bug", description: null, color: "#D9534F", priority: null, created_at: at, updated_at: at }

it.each<[LabelEvent, ReadonlyArray<object>]>([
  [
    created,
    [
      { _tag: "IdTaken", kind: "label", id: 9 },
      { _tag: "Put", table: "labels", row: { ...row, project_id: 4, group_id: null } }
    ]
  ],
  [
    cases.LabelCreated.make({ parent: { kind: "group", id: 5 }, settings }),
    [
      { _tag: "IdTaken", kind: "label", id: 9 },
      { _tag: "Put", table: "labels", row: { ...row, project_id: null, group_id: 5 } }
    ]
  ],
  [
    cases.LabelChanged.make({ changes: { title: "defect", priority: 2 } }),
    [{ _tag: "Patch", table: "labels", key: { id: 9 }, columns: { title: "defect", priority: 2, updated_at: at } }]
  ],
  [cases.LabelDeleted.make({}), [{ _tag: "Remove", table: "labels", key: { id: 9 } }]]
])("%j", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("labels go with their project or group", () => {
  const changes = changesIn(labelsReadModel)
  expect(changes(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual([
    { _tag: "RemoveWhere", table: "labels", where: { project_id: 4 } }
  ])
  expect(changes(groupCodec.encode(GroupEvent.cases.GroupDeleted.make({})), "group-4")).toEqual([
    { _tag: "RemoveWhere", table: "labels", where: { group_id: 4 } }
  ])
  expect(changes(projectCodec.encode(ProjectEvent.cases.ProjectArchived.make({})), "project-4")).toEqual([])
})

it("has nothing to do with other streams", () => {
  expect(changesOf(created, "schedule-9")).toEqual([])
})
