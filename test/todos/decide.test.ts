import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, type State, todoAggregate } from "#src/todos/aggregate.ts"
import { TodoEvent, todoCodec } from "#src/todos/events.ts"
import { todoStream, waitingOf } from "#src/todos/ids.ts"
import { foldOf, itFoldsInParts, itIsStored } from "#test/support/aggregateLaws.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"

const { cases } = TodoEvent
const outcome = outcomeOf(todoAggregate)
const cause = { position: 20, commandId: "one" }
const add = { _tag: "Add", id: 7, action: "assigned", authorId: 2, cause } as const
const finish = { _tag: "Finish", cause } as const
const commands: { readonly [Tag in Command["_tag"]]: Command } = { Add: add, Finish: finish }
const states: { readonly [Tag in State["_tag"]]: State } = {
  Idle: { _tag: "Idle", cause: undefined },
  Pending: { _tag: "Pending", id: 5, cause: undefined }
}
const added = cases.TodoAdded.make({ id: 7, action: "assigned", authorId: 2, cause })
const done = cases.TodoDone.make({ id: 5, cause })

describe("every command in every state", () => {
  itDecides(outcome, {
    commands,
    states,
    table: { Idle: { Add: [added], Finish: [] }, Pending: { Add: [], Finish: [done] } }
  })
})

it("another to-do than the one that is pending is done already", () => {
  expect(outcome({ ...finish, id: 5 }, states.Pending)).toEqual([done])
  expect(outcome({ ...finish, id: 4 }, states.Pending)).toEqual([])
})

it.each([
  { led: { position: 19, commandId: "other" }, isDone: true, wasDone: false },
  { led: { position: 19 }, isDone: true, wasDone: false },
  { led: { position: 19, commandId: "one" }, isDone: false, wasDone: false },
  { led: { position: 20 }, isDone: false, wasDone: false },
  { led: { position: 21, commandId: "one" }, isDone: false, wasDone: false },
  { led: { position: 21, commandId: "other" }, isDone: false, wasDone: true },
  { led: { position: 21 }, isDone: false, wasDone: true }
])("what came about by $led is done by a cause at 20: $isDone, and what is done by it is added: $wasDone", (row) => {
  expect(outcome(finish, { _tag: "Pending", id: 5, cause: row.led })).toEqual(row.isDone ? [done] : [])
  const asked = outcome({ _tag: "Finish", cause: { position: 20 } }, { _tag: "Pending", id: 5, cause: row.led })
  expect(asked).toHaveLength(row.led.position < 20 ? 1 : 0)
  expect(outcome({ ...finish, id: 5 }, { _tag: "Pending", id: 5, cause: row.led })).toEqual([done])
  expect(outcome(add, { _tag: "Idle", cause: row.led })).toEqual(row.wasDone ? [] : [added])
})

it("a stream tells of whom and of what it is", () => {
  const waiting = { userId: 3, target: { type: "MergeRequest", projectId: 4, iid: 5 } } as const
  expect(waitingOf(todoStream(waiting))).toEqual(waiting)
  for (const stream of ["todo-3-Epic-4-5", "mergeRequest-4-5", "todo-3-MergeRequest-4-5-6"])
    expect(waitingOf(stream)).toBeUndefined()
})

const id = fc.integer({ min: 1, max: 3 })
const led = fc.record({ position: id, commandId: fc.constantFrom("one", "other") }, { requiredKeys: ["position"] })
const todo = { id, action: fc.constantFrom("marked" as const, "assigned" as const), authorId: id, cause: led }
const event = fc.oneof(
  fc.record(todo, { requiredKeys: ["id", "action", "authorId"] }).map((data) => cases.TodoAdded.make(data)),
  fc.record({ id, cause: led }, { requiredKeys: ["id"] }).map((data) => cases.TodoDone.make(data))
)

itFoldsInParts(foldOf(todoAggregate), event)
itIsStored(todoCodec, event)
