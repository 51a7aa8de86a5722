import { expect, it } from "vitest"
import { uploadsReadModel } from "#projections/uploads/projection.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { UploadEvent, uploadCodec } from "#src/uploads/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { added, place } from "./samples.ts"

const { at } = recorded
const { UploadAdded, UploadRemoved } = UploadEvent.cases
const changesOf = (event: UploadEvent, stream = "upload-5") => changesIn(uploadsReadModel)(uploadCodec.encode(event), stream)
const table = "uploads"

it.each<[UploadEvent, ReadonlyArray<object>]>([
  [
    UploadAdded.make(added),
    [
      { _tag: "IdTaken", kind: "upload", id: 5 },
      {
        _tag: "Put",
        table,
        row: {
          ...{ id: 5, project_id: 4, secret: added.secret, name: "dk.png", bytes: 3, sha256: added.sha256 },
          ...{ user_id: 7, created_at: at }
        }
      }
    ]
  ],
  [UploadRemoved.make({ ...place, by: 9 }), [{ _tag: "Remove", table, key: { id: 5 } }]]
])("%j", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("everything goes with the project", () => {
  expect(changesIn(uploadsReadModel)(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual([
    { _tag: "RemoveWhere", table, where: { project_id: 4 } }
  ])
})

it("has nothing to do with other streams", () => {
  expect(changesOf(UploadAdded.make(added), "project-4")).toEqual([])
})
