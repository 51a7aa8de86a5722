import { Effect } from "effect"
import { defined } from "../kernel/defined.ts"
import { handle } from "../platform/Commands.ts"
import { EventStore, type RecordedEvent } from "../platform/eventStore/EventStore.ts"
import { nextId } from "../platform/Ids.ts"
import { todoAggregate } from "./aggregate.ts"
import type { Action, Cause } from "./events.ts"
import type { Waiting } from "./ids.ts"
import { TodoQueries } from "./Queries.ts"

/** Something waits for a user for some reason, by what another one did. */
export interface NewTodo extends Waiting {
  readonly action: Action
  readonly authorId: number
  readonly cause: Cause
}

/** What a reaction is to. */
export const causeOf = ({ metadata: { commandId }, position }: RecordedEvent): Cause => ({ position, commandId })

/** Of what a user asks for now. */
export const causeNow = EventStore.use(({ head }) => Effect.map(head, (position): Cause => ({ position })))

/** Adds a to-do, unless one is pending for the same thing. With the same command id it does nothing the second time. */
export const addTodo = Effect.fnUntraced(function* ({ target, userId, ...todo }: NewTodo, commandId?: string) {
  const id = yield* nextId("todo")
  return yield* handle(todoAggregate, { userId, target }, { _tag: "Add", id, ...todo }, defined({ commandId }))
})

/** Marks what is pending of a user for something as done: the one with this id, or whichever came about before the cause. */
export const finishTodo = (waiting: Waiting, which: { readonly id?: number; readonly cause: Cause }) =>
  handle(todoAggregate, waiting, { _tag: "Finish", ...which })

/** So many are marked at a time. */
const batch = 500
const concurrency = 32

/** Marks everything as done that is pending of a user. Answers where the last event is; undefined where nothing was pending. */
export const finishAllTodos = Effect.fnUntraced(function* (userId: number) {
  const { pending } = yield* TodoQueries
  const cause = yield* causeNow
  let latest: Effect.Success<ReturnType<typeof finishTodo>> | undefined
  let after = 0
  for (;;) {
    const some = yield* pending(userId, { after, limit: batch })
    const finished = yield* Effect.forEach(some, ({ id, target }) => finishTodo({ userId, target }, { id, cause }), {
      concurrency
    })
    for (const one of finished) if (latest === undefined || one.position > latest.position) latest = one
    const last = some.at(-1)
    if (last === undefined || some.length < batch) return latest
    after = last.id
  }
})
