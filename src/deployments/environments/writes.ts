import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { outsideRun } from "../../platform/repeats.ts"
import type { Status, Tier } from "../events.ts"
import { type EnvironmentName, environmentKey, slugOf, tierOf } from "../names.ts"
import { environmentAggregate } from "./aggregate.ts"

export interface NewEnvironment extends EnvironmentName {
  readonly by: number
  readonly externalUrl: string | null
  readonly tier?: Tier
}

/** Creates an environment. */
export const createEnvironment = Effect.fnUntraced(function* ({ by, externalUrl, name, projectId, tier }: NewEnvironment) {
  const id = yield* nextId("environment")
  const settings = { name, slug: slugOf(name), externalUrl, tier: tier ?? tierOf(name) }
  const handled = yield* handle(environmentAggregate, environmentKey({ projectId, name }), {
    _tag: "Create",
    id,
    by,
    ...settings
  })
  return { ...handled, id }
}, spanned("deployments.createEnvironment"))

/** The id of the environment of a name, made where it is not there: a repeat finds what was made. */
export const ensureEnvironment = (named: EnvironmentName, by: number) =>
  createEnvironment({ ...named, by, externalUrl: null }).pipe(
    Effect.map(({ id }) => id),
    Effect.catchTags({
      EnvironmentExists: ({ id }) => Effect.succeed(id),
      EnvironmentMissing: Effect.die,
      EnvironmentAvailable: Effect.die
    }),
    outsideRun
  )

interface Order extends EnvironmentName {
  readonly id: number
  readonly by: number
}

/** What succeeds makes a stopped environment available. One that is deleted meanwhile stays so, and so does what is deployed there. */
export const startWhere = (status: Status, { by, id, ...named }: Order) =>
  status === "success"
    ? handle(environmentAggregate, environmentKey(named), { _tag: "Start", id, by }).pipe(
        Effect.catchTags({
          EnvironmentExists: Effect.die,
          EnvironmentMissing: () => Effect.void,
          EnvironmentAvailable: Effect.die
        }),
        outsideRun
      )
    : Effect.void
