import { Cause, Data, Deferred, Effect, Schedule } from "effect"
import { dismissFrozenHolder, heartbeat } from "./advisoryLocks.ts"
import { type ClientOptions, makeClient } from "./client.ts"
import { attempt, type Client, Sql } from "./Sql.ts"

/** The connection that holds the leader's lock is gone, and the lock with it. */
class LeadershipLost extends Data.TaggedError("LeadershipLost") {}

export interface Leadership {
  /** Who leads, as logs and the list of connections name it, such as `projector`. */
  readonly name: string
  /** After so many seconds of silence a leader counts as frozen, and loses its connection to whoever waits. */
  readonly frozenAfter: number
  readonly options?: Pick<ClientOptions, "relaxedCommit">
}

const retryInterval = "300 millis"

/** Asks again and again instead of waiting in the statement, whose snapshot would keep vacuum from its work in the whole database. */
const contend = async (client: Client, { frozenAfter, name }: Leadership): Promise<boolean> => {
  const lock = `hashtext('chronoforge.${name}')`
  const [row] = await client.unsafe<Array<{ locked: boolean }>>(`select pg_try_advisory_lock(${lock}) as locked`)
  if (row?.locked === true) return true
  await client.unsafe(dismissFrozenHolder(lock, frozenAfter))
  return false
}

const leadOnce = <E, R>(leadership: Leadership, work: (client: Client) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { url } = yield* Sql
    const lost = yield* Deferred.make<never, LeadershipLost>()
    const onClosed = () => Deferred.doneUnsafe(lost, Effect.fail(new LeadershipLost()))
    const name = `chronoforge-${leadership.name}`
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(url, { connections: 1, name, usesKeepalive: true, ...leadership.options, onClosed })),
      (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
    )
    yield* attempt(() => contend(client, leadership)).pipe(
      Effect.repeat({ until: (locked) => locked, schedule: Schedule.spaced(retryInterval) })
    )
    const showAlive = Effect.repeat(
      attempt(() => client`select 1`),
      Schedule.spaced(heartbeat)
    )
    yield* Effect.raceFirst(
      Deferred.await(lost),
      Effect.all([work(client), showAlive], { concurrency: "unbounded", discard: true })
    )
  }).pipe(Effect.scoped)

/**
 * Does a work that one process does at a time, over all on the database, whenever this one can, for ever: with the connection that
 * holds the lock. It ends when that is lost, and queues again after any failure. A frozen leader is replaced, and may finish what it
 * was about to do when it wakes: what it writes has to be such that this does no harm.
 */
export const lead = <E, R>(leadership: Leadership, work: (client: Client) => Effect.Effect<void, E, R>) =>
  leadOnce(leadership, work).pipe(
    Effect.orDie,
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning(`The ${leadership.name} failed and will restart`, cause)
    ),
    Effect.repeat(Schedule.spaced("500 millis"))
  )
