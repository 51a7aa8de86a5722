import { Effect } from "effect"
import type { Aggregate } from "./Aggregate.ts"
import { load } from "./Commands.ts"
import type { EventStore } from "./eventStore/EventStore.ts"
import { type Name, ownerOf, release, requireOwned, reserve } from "./Reservations.ts"

/** Names that aggregates of one kind hold, such as the titles of labels. */
interface Naming<Id, Command, State, Event, Refusal, Held> {
  readonly aggregate: Aggregate<Id, Command, State, Event, Refusal>
  /** The aggregate whose stream this is; undefined for a stream of anything else. */
  readonly idOf: (stream: string) => Id | undefined
  readonly nameOf: (held: Held) => Name
  /** Whether an aggregate in this state holds it. */
  readonly holds: (state: State, held: Held, id: Id) => boolean
}

/**
 * Reserves and gives back what only one aggregate of a kind may hold: reserved before the event by which it is held, given back after the
 * one by which it is not.
 */
export const aggregateNames = <Id, Command, State, Event, Refusal, Held>({
  aggregate,
  holds,
  idOf,
  nameOf
}: Naming<Id, Command, State, Event, Refusal, Held>) => {
  const holdsNow = (id: Id, held: Held): Effect.Effect<boolean, never, EventStore> =>
    Effect.map(load(aggregate, id), ({ state }) => holds(state, held, id))
  const stillHolds = (held: Held) => (owner: string) => {
    const id = idOf(owner)
    return id === undefined ? Effect.succeed(true) : holdsNow(id, held)
  }
  return {
    /** Fails with `NameTaken` where another one holds it. Repeating it changes nothing. Answers what guards the event by which it is held. */
    reserve: (held: Held, id: Id) => reserve(nameOf(held), aggregate.stream(id), stillHolds(held)),
    /** Fails with `NameLost` where it is not reserved for the aggregate; as `reserve`. */
    requireOwned: (held: Held, id: Id) => requireOwned(nameOf(held), aggregate.stream(id)),
    /** Gives it back, unless the aggregate holds it by now. */
    release: (held: Held, id: Id) => release(nameOf(held), aggregate.stream(id), holdsNow(id, held)),
    /** Which one holds it, as the log stands now; undefined for none. */
    holderOf: Effect.fnUntraced(function* (held: Held) {
      const owner = yield* ownerOf(nameOf(held))
      const id = owner === undefined ? undefined : idOf(owner)
      return id !== undefined && (yield* holdsNow(id, held)) ? id : undefined
    })
  }
}
