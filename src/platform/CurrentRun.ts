import { Context, Effect } from "effect"

/** A run of a request that may be repeated: the next one finds the ids, times and commands of those that were cut short. */
export interface RequestRun {
  /** Whether an earlier run was cut short. */
  readonly isRepeat: boolean
  /** Id of the next command to a stream: the same one in each run, whatever it sends to other streams. */
  readonly nextCommandId: (stream: string) => string
  /** The id of the first one. */
  readonly firstCommandId: (stream: string) => string
  /** Remembers a number for the next run, or gives the one that an earlier run remembered: the first, the second, and so on. */
  readonly remember: (fresh: Effect.Effect<number>) => Effect.Effect<number>
  /** What `remember` gives next; undefined when it will be a fresh one. */
  readonly remembered: () => number | undefined
}

/** The run that the fiber belongs to; undefined for what is not repeated. Only the platform asks for it: see `repeats.ts`. */
export const CurrentRun = Context.Reference<RequestRun | undefined>("chronoforge/platform/CurrentRun", {
  defaultValue: () => undefined
})

/** Leaves the run of the request: what the effect did before is told from the state alone. */
export const outsideRun = Effect.provideService(CurrentRun, undefined)
