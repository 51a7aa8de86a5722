import { Context, Effect } from "effect"
import type { Position } from "./eventStore/EventStore.ts"

/** Who caused what is being written. */
export interface Origin {
  /** The actor, `user:<id>` or `system:<part>`. */
  readonly actor: string
  readonly onBehalfOf?: string
  readonly correlationId: string
  readonly causationId?: string
  readonly requestId?: string
  readonly idempotencyKey?: string
  /** The W3C trace context of the request, so that projections join its trace. */
  readonly traceparent?: string
}

/** The origin of what the running fiber writes. */
export const CurrentOrigin = Context.Reference<Origin>("chronoforge/platform/CurrentOrigin", {
  defaultValue: () => ({ actor: "system:unknown", correlationId: "none" })
})

/** Is told the position of the last event of each command that added any, now or in an earlier run. */
export const OnAppended = Context.Reference<(position: Position) => void>("chronoforge/platform/OnAppended", {
  defaultValue: () => () => {}
})

/** Does something that a user has caused earlier, under the user's name. */
export const actingAs = <A, E, R>(userId: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentOrigin, (origin) => Effect.provideService(effect, CurrentOrigin, { ...origin, actor: `user:${userId}` }))

/** The id of the user who is an actor; undefined for what the service did itself. */
export const userOf = (actor: string): number | undefined => {
  const id = /^user:(\d+)$/.exec(actor)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The origin of work that no request asked for, such as `system:bootstrap`. */
export const systemOrigin = (part: string): Origin => ({ actor: `system:${part}`, correlationId: `system:${part}` })
