import { Cause, Data, Deferred, Effect, Latch, Schedule, type Scope } from "effect"
import { dismissFrozenHolders, heartbeat } from "./advisoryLocks.ts"
import { type ClientOptions, makeClient } from "./client.ts"
import { attempt, type Client, Sql } from "./Sql.ts"

/** The connection that holds the leader's lock is gone, and the lock with it. */
class LeadershipLost extends Data.TaggedError("LeadershipLost") {}

export interface LeaderSessionOptions extends Pick<ClientOptions, "relaxedCommit"> {
  /** The name in the list of connections, behind `chronoforge-`. */
  readonly name: string
  /** After so many seconds of silence its process counts as frozen, and loses the connection to whoever waits for a lock. */
  readonly frozenAfter: number
}

/** What a leader is given: the connection that holds its lock, and what fails when that ends. */
interface Lead {
  readonly client: Client
  readonly lost: Deferred.Deferred<never, LeadershipLost>
}

/** A connection in which leaders of this process hold their locks. */
export interface LeaderSession {
  /** Waits for the lock of this name, which is held until the scope closes or the connection ends. */
  readonly hold: (name: string) => Effect.Effect<Lead, never, Scope.Scope>
}

/** Who waits for a lock. */
interface Candidate {
  readonly name: string
  readonly led: Deferred.Deferred<Lead>
}

/** Locks are asked for again and again instead of waiting in a statement, whose snapshot would keep vacuum from its work in the whole database. */
const retryInterval = "300 millis"

const keyOf = (name: string): string => `chronoforge.${name}`

/** Takes those of the locks that nobody has. */
const takeFree = async (client: Client, keys: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const rows = await client<Array<{ key: string; locked: boolean }>>`
    select key, pg_try_advisory_lock(hashtext(key)) as locked from unnest(${[...keys]}::text[]) key`
  return new Set(rows.flatMap(({ key, locked }) => (locked ? [key] : [])))
}

/** Opens a connection in which locks are held, and which shows each second that its process lives while there are any. */
export const openLeaderSession = Effect.fnUntraced(function* ({ frozenAfter, name, ...options }: LeaderSessionOptions) {
  const { url } = yield* Sql
  const candidates = new Set<Candidate>()
  let held = 0
  const isAnyWaiting = Latch.makeUnsafe()
  let lost = Deferred.makeUnsafe<never, LeadershipLost>()
  const onClosed = () => {
    Deferred.doneUnsafe(lost, Effect.fail(new LeadershipLost()))
    lost = Deferred.makeUnsafe()
  }
  const connection = { connections: 1, name: `chronoforge-${name}`, usesKeepalive: true, ...options, onClosed }
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => makeClient(url, connection)),
    (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
  )
  // Nobody waits for its answer, which a server that stands still would never give.
  const unlock = (key: string) => Effect.sync(() => void client`select pg_advisory_unlock(hashtext(${key}))`.catch(() => {}))
  const contend = Effect.gen(function* () {
    yield* isAnyWaiting.await
    const [asked, lead] = [[...candidates], { client, lost }]
    const taken = yield* attempt(() =>
      takeFree(
        client,
        asked.map((candidate) => keyOf(candidate.name))
      )
    )
    for (const candidate of asked) {
      const key = keyOf(candidate.name)
      if (!taken.has(key)) continue
      // Who has left meanwhile does not want it any more.
      if (!candidates.delete(candidate)) yield* unlock(key)
      else {
        held++
        Deferred.doneUnsafe(candidate.led, Effect.succeed(lead))
      }
    }
    if (candidates.size === 0) return isAnyWaiting.closeUnsafe()
    const keys = [...candidates].map((candidate) => keyOf(candidate.name))
    yield* attempt(() => client.unsafe(dismissFrozenHolders("hashtext(name)", frozenAfter), [keys]))
    return yield* Effect.sleep(retryInterval)
  })
  const contending = contend.pipe(
    Effect.catch((error) =>
      Effect.andThen(Effect.logWarning(`No lock can be had by ${name}`, error), Effect.sleep("500 millis"))
    ),
    Effect.forever
  )
  const showAlive = Effect.suspend(() => (held === 0 ? Effect.void : Effect.ignore(attempt(() => client`select 1`))))
  yield* Effect.forkScoped(contending)
  yield* Effect.forkScoped(Effect.repeat(showAlive, Schedule.spaced(heartbeat)))
  const session: LeaderSession = {
    hold: Effect.fnUntraced(function* (name: string) {
      const candidate = { name, led: Deferred.makeUnsafe<Lead>() }
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          candidates.add(candidate)
          isAnyWaiting.openUnsafe()
        }),
        () =>
          Effect.suspend(() => {
            if (candidates.delete(candidate)) return Effect.void
            held--
            return unlock(keyOf(name))
          })
      )
      return yield* Deferred.await(candidate.led)
    })
  }
  return session
})

const leadOnce = <E, R>(session: LeaderSession, name: string, work: (client: Client) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { client, lost } = yield* session.hold(name)
    yield* Effect.raceFirst(Deferred.await(lost), work(client))
  }).pipe(Effect.scoped)

/**
 * Does a work that one process does at a time, over all on the database, whenever this one can, for ever: with the connection that
 * holds the lock. It ends when that is lost, and queues again after any failure. A frozen leader is replaced, and may finish what it
 * was about to do when it wakes: what it writes has to be such that this does no harm.
 */
export const leadIn = <E, R>(session: LeaderSession, name: string, work: (client: Client) => Effect.Effect<void, E, R>) =>
  leadOnce(session, name, work).pipe(
    Effect.orDie,
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning(`The ${name} failed and will restart`, cause)
    ),
    Effect.repeat(Schedule.spaced("500 millis"))
  )

/** Leads in a connection that nobody else uses: for who writes much, or has to be replaced sooner than others. */
export const lead = <E, R>(options: LeaderSessionOptions, work: (client: Client) => Effect.Effect<void, E, R>) =>
  Effect.scoped(Effect.flatMap(openLeaderSession(options), (session) => leadIn(session, options.name, work)))
