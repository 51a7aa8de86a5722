import { Clock, Effect } from "effect"
import type { Aggregate } from "./Aggregate.ts"
import { earlierRun } from "./Commands.ts"
import { CurrentRun } from "./CurrentRun.ts"

/** What an earlier run of the request did to an aggregate with its first command; undefined when it did nothing. */
const earlierChange = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id | undefined
) {
  const run = yield* CurrentRun
  if (run?.isRepeat !== true || id === undefined) return undefined
  return yield* earlierRun(aggregate, id, run.firstCommandId(aggregate.stream(id)))
})

/**
 * Changes an aggregate. In a repeat of a request that changed it before, `make` does not run, for what the request demands may be
 * refused by now, because it came about: the answer is what the earlier run did. `make` may also be only what judges the change, if
 * commands follow that complete in each run what the one before left.
 */
export const changes = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal, A, E, R>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id,
  make: Effect.Effect<A, E, R>
) {
  return (yield* earlierChange(aggregate, id)) ?? (yield* make)
})

/** Creates an aggregate under the first id that `make` takes, and answers it; as `changes`. */
export const creates = Effect.fnUntraced(function* <Command, State, Event, Refusal, A extends { readonly id: number }, E, R>(
  aggregate: Aggregate<number, Command, State, Event, Refusal>,
  make: Effect.Effect<A, E, R>
) {
  const id = (yield* CurrentRun)?.remembered()
  const earlier = yield* earlierChange(aggregate, id)
  return id === undefined || earlier === undefined ? yield* make : { ...earlier, id }
})

/** Creates an aggregate under the first number that `make` takes, from which `idOf` makes its id, and answers it; as `changes`. */
export const createsNumbered = Effect.fnUntraced(function* <
  Id,
  Command,
  State,
  Event,
  Refusal,
  A extends { readonly number: number },
  E,
  R
>(aggregate: Aggregate<Id, Command, State, Event, Refusal>, idOf: (number: number) => Id, make: Effect.Effect<A, E, R>) {
  const number = (yield* CurrentRun)?.remembered()
  const earlier = number === undefined ? undefined : yield* earlierChange(aggregate, idOf(number))
  return number === undefined || earlier === undefined ? yield* make : { ...earlier, number }
})

/**
 * Changes an aggregate that the request names by what the change may take away, such as a path or a right: `find` judges and answers its
 * number, from which `idOf` makes its id, but not in the repeat of a request that changed it; as `changes`, with the number.
 */
export const changesNumbered = Effect.fnUntraced(function* <
  Id,
  Command,
  State,
  Event,
  Refusal,
  Found extends { readonly number: number },
  A,
  E,
  R,
  F,
  S
>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  idOf: (number: number) => Id,
  find: Effect.Effect<Found, E, R>,
  make: (found: Found) => Effect.Effect<A, F, S>
) {
  const run = yield* CurrentRun
  const known = run?.remembered()
  const earlier = yield* earlierChange(aggregate, known === undefined ? undefined : idOf(known))
  if (known !== undefined && earlier !== undefined) return { ...earlier, number: known }
  const found = yield* find
  if (run !== undefined) yield* run.remember(Effect.succeed(found.number))
  return { ...(yield* make(found)), number: found.number }
})

/** The same of an aggregate whose id is a number. */
export const changesFound = Effect.fnUntraced(function* <
  Command,
  State,
  Event,
  Refusal,
  Found extends { readonly id: number },
  A,
  E,
  R,
  F,
  S
>(
  aggregate: Aggregate<number, Command, State, Event, Refusal>,
  find: Effect.Effect<Found, E, R>,
  make: (found: Found) => Effect.Effect<A, F, S>
) {
  const numbered = Effect.map(find, (found) => ({ found, number: found.id }))
  const { number: id, ...changed } = yield* changesNumbered(
    aggregate,
    (number) => number,
    numbered,
    ({ found }) => make(found)
  )
  return { ...changed, id }
})

/** The time in seconds since 1970. */
const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/**
 * Makes something outside the log, such as a commit, with a time in seconds since 1970 that is the same in each run. `make` has to ask
 * for it before it makes anything, when everything is judged. In a repeat, `find` looks before for what an earlier run made at that time.
 */
export const makes = Effect.fnUntraced(function* <A, E, R, F, S>(
  find: (time: number) => Effect.Effect<A | undefined, E, R>,
  make: (time: Effect.Effect<number>) => Effect.Effect<A, F, S>
) {
  const run = yield* CurrentRun
  const earlier = run?.remembered()
  const made = earlier === undefined ? undefined : yield* find(earlier)
  if (made !== undefined) return made
  return yield* make(yield* Effect.cached(run === undefined ? now : run.remember(now)))
})

export { outsideRun } from "./CurrentRun.ts"
