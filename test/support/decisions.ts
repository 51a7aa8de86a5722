import { Result } from "effect"
import { expect, it } from "vitest"
import type { Decider } from "#src/platform/Aggregate.ts"

type Tagged = { readonly _tag: string }

/** The events that a command leads to, or the tag of its refusal. */
export const outcomeOf =
  <Command, State, Event, Refusal extends Tagged>({ decide }: Decider<Command, State, Event, Refusal>) =>
  (command: Command, state: State): ReadonlyArray<Event> | Refusal["_tag"] =>
    Result.match(decide(command, state), {
      onFailure: ({ _tag }): ReadonlyArray<Event> | Refusal["_tag"] => _tag,
      onSuccess: (events) => events
    })

interface Decisions<Command extends Tagged, State extends Tagged> {
  readonly commands: { readonly [Tag in Command["_tag"]]: Command }
  readonly states: { readonly [Tag in State["_tag"]]: State }
  /** Outcomes by the tags of states, then of commands. */
  readonly table: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A test for each state: every command comes to what the table says. */
export const itDecides = <Command extends Tagged, State extends Tagged>(
  outcome: (command: Command, state: State) => unknown,
  { commands, states, table }: Decisions<Command, State>
): void =>
  it.each(Object.values<State>(states))("$_tag", (state) => {
    const outcomes = Object.entries<Command>(commands).map(([name, command]) => [name, outcome(command, state)])
    expect(Object.fromEntries(outcomes)).toEqual(table[state._tag])
  })
