import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, type State, todoAggregate } from "#src/todos/aggregate.ts"
import { TodoEvent, todoCodec } from "#src/todos/events.ts"
import { todoStream, waitingOf } from "#src/todos/ids.ts"
import { foldOf, itFoldsInParts, itIsStored } from "#test/support/aggregateLaws.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"

const { cases } = TodoEvent
const outcome = outcomeOf(todoAggregate)
const add = { _tag: "Add", id: 7, action: "assigned", authorId: 2 } as const
const commands: { readonly [Tag in Command["_tag"]]: Command } = { Add: add, Finish: { _tag: "Finish" } }
const states: { readonly [Tag in State["_tag"]]: State } = { Idle: { _tag: "Idle" }, Pending: { _tag: "Pending", id: 5 } }
const added = cases.TodoAdded.make({ id: 7, action: "assigned", authorId: 2 })

describe("every command in every state", () => {
  itDecides(outcome, {
    commands,
    states,
    table: { Idle: { Add: [added], Finish: [] }, Pending: { Add: [], Finish: [cases.TodoDone.make({ id: 5 })] } }
  })
})

it("another to-do than the one that is pending is done already", () => {
  expect(outcome({ _tag: "Finish", id: 5 }, states.Pending)).toEqual([cases.TodoDone.make({ id: 5 })])
  expect(outcome({ _tag: "Finish", id: 4 }, states.Pending)).toEqual([])
})

it("a stream tells of whom and of what it is", () => {
  const waiting = { userId: 3, target: { type: "MergeRequest", projectId: 4, iid: 5 } } as const
  expect(waitingOf(todoStream(waiting))).toEqual(waiting)
  for (const stream of ["todo-3-Epic-4-5", "mergeRequest-4-5", "todo-3-MergeRequest-4-5-6"])
    expect(waitingOf(stream)).toBeUndefined()
})

const id = fc.integer({ min: 1, max: 3 })
const event = fc.oneof(
  fc.record({ id, action: fc.constantFrom("marked", "assigned"), authorId: id }).map((data) => cases.TodoAdded.make(data)),
  fc.record({ id }).map((data) => cases.TodoDone.make(data))
)

itFoldsInParts(foldOf(todoAggregate), event)
itIsStored(todoCodec, event)
