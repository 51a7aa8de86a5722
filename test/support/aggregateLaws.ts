import { Result } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Decider } from "#src/platform/Aggregate.ts"
import type { EventCodec } from "#src/platform/eventStore/codec.ts"
import { recordedEvent } from "./recordedEvent.ts"

type Fold<State, Event> = (events: ReadonlyArray<Event>, from?: State) => State

/** The state that events lead to, from the initial one unless another is given. */
export const foldOf =
  <Command, State, Event, Refusal>({ evolve, initial }: Decider<Command, State, Event, Refusal>): Fold<State, Event> =>
  (events, from = initial) =>
    events.reduce(evolve, from)

/** The state behind a command: the same where it is refused. */
export const stepOf =
  <Command, State, Event, Refusal>({ decide, evolve }: Decider<Command, State, Event, Refusal>) =>
  (state: State, command: Command): State =>
    Result.match(decide(command, state), { onFailure: () => state, onSuccess: (events) => events.reduce(evolve, state) })

export const itFoldsInParts = <State, Event>(fold: Fold<State, Event>, event: fc.Arbitrary<Event>): void =>
  it("folding in two parts equals folding at once", () => {
    const events = fc.array(event, { maxLength: 10 })
    fc.assert(
      fc.property(events, events, (first, second) => {
        expect(fold(second, fold(first))).toEqual(fold([...first, ...second]))
      })
    )
  })

export const itIsStored = <Event>(codec: EventCodec<Event>, event: fc.Arbitrary<Event>): void =>
  it("every event survives storage", () => {
    fc.assert(
      fc.property(event, (given) => {
        expect(codec.decode(recordedEvent(codec.encode(given), "thing-1"))).toEqual(Result.succeed(given))
      })
    )
  })
