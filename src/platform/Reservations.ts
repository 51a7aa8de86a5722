import { Clock, Data, Effect, Result, Schema } from "effect"
import { defined } from "../kernel/defined.ts"
import { uuidOf } from "../kernel/uuid.ts"
import type { Aggregate, Decider } from "./Aggregate.ts"
import { type Guard, guardOf, handle, history, load } from "./Commands.ts"
import { outsideRun } from "./CurrentRun.ts"
import { eventCodec } from "./eventStore/codec.ts"
import { EventStore, type Fence, type Fences } from "./eventStore/EventStore.ts"
import { spanned } from "./logging/tracing.ts"

/** A name that only one thing may have at a time, such as the user name `root`. Compared exactly: fold case before. */
export interface Name {
  readonly kind: string
  readonly text: string
}

/** The name belongs to another stream. */
export class NameTaken extends Data.TaggedError("NameTaken")<{
  readonly name: Name
  readonly owner: string
  readonly at: number
}> {}

/** The name is not reserved for the stream. */
export class NameLost extends Data.TaggedError("NameLost")<{ readonly name: Name; readonly stream: string }> {}

// Storage format: add cases, never rename.
const Event = Schema.TaggedUnion({
  NameReserved: { kind: Schema.String, name: Schema.String, owner: Schema.String, at: Schema.Finite },
  NameReleased: { owner: Schema.String }
})
type Event = typeof Event.Type

interface Reserve {
  readonly _tag: "Reserve"
  readonly name: Name
  readonly owner: string
  readonly at: number
  /** The reservation that is taken over. */
  readonly instead?: Held
}

interface Release {
  readonly _tag: "Release"
  readonly owner: string
}

interface Held {
  readonly owner: string
  readonly at: number
}

type Command = Reserve | Release
type State = { readonly _tag: "Free" } | ({ readonly _tag: "Held" } & Held)

const free: State = { _tag: "Free" }

const decider: Decider<Command, State, Event, NameTaken> = {
  initial: free,
  decide: (command, state) => {
    if (command._tag === "Release") {
      const isIt = state._tag === "Held" && state.owner === command.owner
      return Result.succeed(isIt ? [Event.cases.NameReleased.make({ owner: command.owner })] : [])
    }
    const { at, instead, name, owner } = command
    if (state._tag === "Held") {
      if (state.owner === owner) return Result.succeed([])
      const isTakenOver = state.owner === instead?.owner && state.at === instead.at
      if (!isTakenOver) return Result.fail(new NameTaken({ name, owner: state.owner, at: state.at }))
    }
    return Result.succeed([Event.cases.NameReserved.make({ kind: name.kind, name: name.text, owner, at })])
  },
  evolve: (_, event) => (event._tag === "NameReserved" ? { _tag: "Held", owner: event.owner, at: event.at } : free)
}

const reservation: Aggregate<Name, Command, State, Event, NameTaken> = {
  ...decider,
  codec: eventCodec(Event),
  // The text may hold anything, so the stream is named by its digest; the event tells the text.
  stream: ({ kind, text }) => `reservation-${kind}-${uuidOf(text)}`
}

/**
 * Repeats are told by the state alone, not by the command id of a request: what a refused request reserved and gave back, its
 * repeat has to reserve again.
 */
const send = <E = never, R = never>(name: Name, command: Command, guard?: Guard<E, R>) =>
  outsideRun(handle(reservation, name, command, defined({ guard })))

/** A reservation whose owner never came to hold the name may be taken over after this time. Commands take far less. */
const graceMillis = 30_000

type IsHeld = (owner: string) => Effect.Effect<boolean, never, EventStore>

/** Where a stream ends. */
const endOf = Effect.fnUntraced(function* (stream: string) {
  const [last] = yield* EventStore.use((store) => store.read(stream, { direction: "backwards", limit: 1 }))
  const end: Fence = { stream, revision: last?.revision ?? -1 }
  return end
})

class StillHeld extends Data.TaggedError("StillHeld") {}

/** Fails with `whereHeld` while the owner has the name, and holds a command back when the owner changes after it was asked. */
const whileUnheld = <E>(owner: string, isHeld: Effect.Effect<boolean, never, EventStore>, whereHeld: E) =>
  guardOf(
    Effect.gen(function* () {
      const end = yield* endOf(owner)
      if (yield* isHeld) return yield* Effect.fail(whereHeld)
      return [end]
    })
  )

const takeOver = Effect.fnUntraced(function* (taken: NameTaken, request: Reserve, isHeld: IsHeld) {
  if (request.at - taken.at < graceMillis) return yield* taken
  const guard = yield* whileUnheld(taken.owner, isHeld(taken.owner), taken)
  return yield* send(request.name, { ...request, instead: { owner: taken.owner, at: taken.at } }, guard)
})

/**
 * Reserves a name for the stream `owner`, before that stream is created or takes the name. Repeating it changes nothing.
 * Fails with `NameTaken` while another stream holds it. A reservation older than 30 seconds is taken over when `isHeld`
 * says that its owner does not hold the name: a crash between reservation and creation, or between the end of an owner and
 * the release, loses no name. Answers where the reservation ends, which guards the command by which the owner comes to hold the name.
 */
export const reserve = Effect.fnUntraced(function* (name: Name, owner: string, isHeld: IsHeld) {
  const at = yield* Clock.currentTimeMillis
  const request: Reserve = { _tag: "Reserve", name, owner, at }
  const { revision, stream } = yield* Effect.catchTag(send(name, request), "NameTaken", (taken) =>
    takeOver(taken, request, isHeld)
  )
  const fences: Fences = [{ stream, revision }]
  return fences
}, spanned("Reservations.reserve"))

/** The stream that has reserved the name, as the log stands now; undefined for a name that is free. */
export const ownerOf = (name: Name): Effect.Effect<string | undefined, never, EventStore> =>
  Effect.map(load(reservation, name), ({ state }) => (state._tag === "Held" ? state.owner : undefined))

/** Where the reservation of a name ends that the stream `owner` has; fails with `NameLost` where it is not the owner's. */
export const requireOwned = Effect.fnUntraced(function* (name: Name, owner: string) {
  const { revision, state } = yield* load(reservation, name)
  if (state._tag === "Free" || state.owner !== owner) return yield* new NameLost({ name, stream: owner })
  const fences: Fences = [{ stream: reservation.stream(name), revision }]
  return fences
})

/** The streams that have reserved the name at any time, the last one first. */
export const formerOwnersOf = (name: Name): Effect.Effect<ReadonlyArray<string>, never, EventStore> =>
  Effect.map(history(reservation, name), ({ events }) => [
    ...new Set(events.flatMap((event) => (event._tag === "NameReserved" ? [event.owner] : [])).reverse())
  ])

/** Gives the name back; nothing happens when `owner` does not have it, or when it holds it by now. */
export const release = Effect.fnUntraced(function* (
  name: Name,
  owner: string,
  isHeld: Effect.Effect<boolean, never, EventStore>
) {
  if ((yield* ownerOf(name)) !== owner) return
  const released = Effect.flatMap(whileUnheld(owner, isHeld, new StillHeld()), (guard) =>
    send(name, { _tag: "Release", owner }, guard)
  )
  yield* Effect.ignore(released)
})
