import { Context, type Effect, Layer } from "effect"
import { type LeaderSession, leadIn, openLeaderSession } from "../sql/leadership.ts"
import type { Client } from "../sql/Sql.ts"

/**
 * The connection in which the reactors of this process hold their locks and keep their checkpoints, which are few and short. A checkpoint
 * that a crash of the server loses is behind what was done, as after any crash.
 */
export class ReactorSession extends Context.Service<ReactorSession, LeaderSession>()("chronoforge/platform/ReactorSession") {
  static readonly layer = Layer.effect(
    ReactorSession,
    openLeaderSession({ name: "reactors", frozenAfter: 5, relaxedCommit: true })
  )
}

/** Does a work that one process does at a time, in the connection of all reactors; see `leadIn`. */
export const leadReactor = <E, R>(name: string, work: (client: Client) => Effect.Effect<void, E, R>) =>
  ReactorSession.use((session) => leadIn(session, name, work))
