import type { Result } from "effect"
import type { EventCodec } from "./eventStore/codec.ts"

/** Decisions of one aggregate: pure, so that tables and laws can test them. */
export interface Decider<Command, State, Event, Refusal> {
  readonly initial: State
  readonly decide: (command: Command, state: State) => Result.Result<ReadonlyArray<Event>, Refusal>
  /** Total: never fails, whatever the order of events. */
  readonly evolve: (state: State, event: Event) => State
}

/** A decider with its storage: what `handle` needs of one kind of aggregate. */
export interface Aggregate<Id, Command, State, Event, Refusal> extends Decider<Command, State, Event, Refusal> {
  readonly codec: EventCodec<Event>
  readonly stream: (id: Id) => string
}
