import type { Decider } from "../kernel/decider.ts"
import type { EventCodec } from "./eventStore/codec.ts"

/** A decider with its storage: what `handle` needs of one kind of aggregate. */
export interface Aggregate<Id, Command, State, Event, Refusal> extends Decider<Command, State, Event, Refusal> {
  readonly codec: EventCodec<Event>
  readonly stream: (id: Id) => string
}
