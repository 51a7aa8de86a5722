import { Context, type Effect } from "effect"
import type { Position } from "./eventStore/EventStore.ts"

/** Who caused what is being written, and where the last event of it stands. */
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
  /**
   * Gives the id of the next command to a stream, which is the same when the request is repeated, whatever it sends to other streams.
   * Without it each command has an id of its own.
   */
  readonly nextCommandId?: (stream: string) => string
  /** In a repeat alone: the id that the first command of the request to the stream had. */
  readonly firstCommandId?: (stream: string) => string
  /** Keeps a fresh id for a repeat of the request, or gives the one that was kept. */
  readonly keepId?: (fresh: Effect.Effect<number>) => Effect.Effect<number>
  /** The id that `keepId` gives next; undefined when it will be a fresh one. */
  readonly keptId?: () => number | undefined
  /** Called with the position and stream of the last event of each command that added any, now or in an earlier run. */
  readonly onAppended?: (position: Position, stream: string) => void
}

/** The origin of what the running fiber writes. */
export const CurrentOrigin = Context.Reference<Origin>("chronoforge/platform/CurrentOrigin", {
  defaultValue: () => ({ actor: "system:unknown", correlationId: "none" })
})

/** The origin of work that no request asked for, such as `system:bootstrap`. */
export const systemOrigin = (part: string): Origin => ({ actor: `system:${part}`, correlationId: `system:${part}` })
