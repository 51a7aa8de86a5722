import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { EnvironmentEvent, environmentCodec, type Tier } from "./events.ts"
import { type EnvironmentKey, environmentStream } from "./ids.ts"

export type State = { readonly _tag: "Absent" } | { readonly _tag: "Present"; readonly id: number }

const initial: State = { _tag: "Absent" }

export interface Create {
  readonly _tag: "Create"
  readonly id: number
  readonly by: number
  readonly name: string
  readonly slug: string
  readonly externalUrl: string | null
  readonly tier: Tier
}

/** The project has an environment of this name. */
export class EnvironmentExists extends Data.TaggedError("EnvironmentExists")<{ readonly id: number }> {}

const decide = ({ _tag, ...created }: Create, state: State) =>
  state._tag === "Present"
    ? Result.fail(new EnvironmentExists({ id: state.id }))
    : Result.succeed([EnvironmentEvent.cases.EnvironmentCreated.make(created)])

const evolve = (state: State, { id }: EnvironmentEvent): State => (state._tag === "Present" ? state : { _tag: "Present", id })

export const environmentAggregate: Aggregate<EnvironmentKey, Create, State, EnvironmentEvent, EnvironmentExists> = {
  initial,
  decide,
  evolve,
  codec: environmentCodec,
  stream: environmentStream
}
