import type { Result } from "effect"

/** Decisions of one aggregate: pure, so that tables and laws can test them. */
export interface Decider<Command, State, Event, Refusal> {
  readonly initial: State
  readonly decide: (command: Command, state: State) => Result.Result<ReadonlyArray<Event>, Refusal>
  /** Total: never fails, whatever the order of events. */
  readonly evolve: (state: State, event: Event) => State
}
