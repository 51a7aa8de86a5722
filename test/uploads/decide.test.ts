import { describe, expect, it } from "vitest"
import { type Command, type State, uploadAggregate } from "#src/uploads/aggregate.ts"
import { UploadEvent } from "#src/uploads/events.ts"
import { uploadIdOf, uploadStream } from "#src/uploads/ids.ts"
import { foldOf } from "#test/support/aggregateLaws.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { added, place } from "./samples.ts"

const { UploadAdded, UploadRemoved } = UploadEvent.cases

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Add: { _tag: "Add", ...added },
  Remove: { _tag: "Remove", by: 9 }
}
const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", ...place },
  Removed: { _tag: "Removed", ...place }
}
const removal = UploadRemoved.make({ ...place, by: 9 })

describe("every command in every state", () => {
  itDecides(outcomeOf(uploadAggregate), {
    commands,
    states,
    table: {
      Absent: { Add: [UploadAdded.make(added)], Remove: "UploadMissing" },
      Present: { Add: "UploadExists", Remove: [removal] },
      Removed: { Add: "UploadExists", Remove: [] }
    }
  })
})

it("an upload is there from its first event to its last", () => {
  const fold = foldOf(uploadAggregate)
  const events = [UploadAdded.make(added), removal]
  expect([fold([]), fold(events.slice(0, 1)), fold(events)]).toEqual([states.Absent, states.Present, states.Removed])
})

it("a stream belongs to its upload", () => {
  expect([uploadStream(7), uploadIdOf("upload-7"), uploadIdOf("uploads-7"), uploadIdOf("upload-x")]).toEqual([
    "upload-7",
    7,
    undefined,
    undefined
  ])
})
