import { readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { Cause, Data, Deferred, Effect, Option, Ref, Schedule, Schema } from "effect"
import { StartError } from "../../../kernel/StartError.ts"
import { isConnectionLost } from "../connection.ts"
import { attempt, type SqlError } from "../Sql.ts"
import { type Cluster, fileOperation, openCluster, superuser, writePrivate } from "./cluster.ts"
import { findPostmaster, type Postmaster, pollInterval, readPidFile, stopPostmaster } from "./postmaster.ts"
import { type ServerSettings, startServer } from "./server.ts"
import {
  acquireServiceLock,
  closeSession,
  endSession,
  type Holder,
  isUnresponsive,
  openSession,
  type Session,
  serviceHolder
} from "./session.ts"

/** `own`: the one service of a DATA_DIR. `attach`: a command beside it, or alone. */
export type Mode = "own" | "attach"

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly mode: Mode
  /** Parameters of the server that differ from the durable ones; they count only when this call starts it. */
  readonly overrides?: ServerSettings
}

/** Content of `<DATA_DIR>/postgres.json`, for people and their tools: how to connect to the running server. */
const Connection = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  user: Schema.String,
  password: Schema.String,
  database: Schema.String
})
const decodeConnection = Schema.decodeUnknownOption(Schema.fromJsonString(Connection))

const host = "127.0.0.1"
const database = "postgres"
const urlOf = ({ password }: Cluster, port: number): string => `postgres://${superuser}:${password}@${host}:${port}/${database}`

/** The port of the last start, so that the address stays the same while nobody else takes it; else 0. */
const lastPort = ({ dataDir }: Cluster): Effect.Effect<number> =>
  Effect.promise(() => readFile(join(dataDir, "postgres.json"), "utf8").catch(() => "")).pipe(
    Effect.map((text) => Option.match(decodeConnection(text), { onNone: () => 0, onSome: ({ port }) => port }))
  )

const publish = ({ dataDir, password }: Cluster, port: number): Effect.Effect<void, StartError> =>
  fileOperation(dataDir, async () => {
    const file = join(dataDir, "postgres.json")
    const connection: typeof Connection.Type = { host, port, user: superuser, password, database }
    const temporary = `${file}.${process.pid}`
    await writePrivate(temporary, `${JSON.stringify(connection, null, 2)}\n`)
    await rename(temporary, file)
  })

/** A use of the server by this process. */
interface Attachment {
  readonly session: Session
  readonly postmaster: Postmaster
}

/** What this process had of the server before. */
interface Earlier {
  /** Whether it has connections, which end when the server gets another port. */
  readonly isPortUsed: boolean
  /** The numbers of the server's processes for its sessions. */
  readonly backends: Set<number>
}

/** The server is on its way up or down: look again. */
class NotReady extends Data.TaggedError("NotReady") {}

/** Another process serves the data folder. */
class Taken extends Data.TaggedError("Taken")<{ readonly holder: Holder }> {}

const stop = (cluster: Cluster, pid: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const stopped = yield* stopPostmaster(cluster.folder, pid)
    if (!stopped) yield* Effect.logError(`The embedded Postgres (process ${pid}) in ${cluster.dataDir} does not stop`)
  })

const detach = (cluster: Cluster, { session, postmaster }: Attachment): Effect.Effect<void> =>
  closeSession(session, stop(cluster, postmaster.pid))

/** What to do about a running server that did not let us in. Only the service ends one, which a command may find in use. */
const onConnectFailure = (
  cluster: Cluster,
  { pid }: Postmaster,
  mode: EmbeddedOptions["mode"],
  error: SqlError
): Effect.Effect<never, NotReady | StartError> =>
  Effect.gen(function* () {
    if (isConnectionLost(error)) return yield* new NotReady()
    const server = `DATA_DIR ${cluster.dataDir}: the embedded Postgres (process ${pid})`
    if (!isUnresponsive(error)) return yield* new StartError({ message: `${server} refuses the connection: ${error.message}` })
    if (mode === "attach") return yield* new StartError({ message: `${server} does not answer` })
    if (yield* stopPostmaster(cluster.folder, pid)) return yield* new NotReady()
    return yield* new StartError({ message: `${server} neither answers nor stops: run "kill -9 ${pid}" and start again` })
  })

/**
 * Makes the session that of the service. The server may not have noticed yet that an earlier session of this process, with one of its
 * own `backends`, has lost its connection.
 */
const register = Effect.fnUntraced(
  function* (cluster: Cluster, { session, postmaster }: Attachment, own: { name: string; backends: ReadonlySet<number> }) {
    const onFailure = (error: SqlError) => onConnectFailure(cluster, postmaster, "own", error)
    if (yield* Effect.catch(acquireServiceLock(session), onFailure)) return
    const holder = yield* Effect.catch(serviceHolder(session), onFailure)
    const isOwn = holder?.name === own.name && own.backends.has(holder.backend)
    if (holder !== undefined && !isOwn) return yield* new Taken({ holder })
    if (holder !== undefined) yield* Effect.ignore(attempt(() => session.client`select pg_terminate_backend(${holder.backend})`))
    return yield* new NotReady()
  },
  (registered, _, { session }) => Effect.onError(registered, () => endSession(session))
)

const attachOnce = Effect.fn("embedded.attach")(function* (
  cluster: Cluster,
  { mode, overrides = {} }: EmbeddedOptions,
  { isPortUsed, backends }: Earlier
) {
  const file = yield* readPidFile(cluster.folder)
  const postmaster = file?.postmaster
  if (postmaster === undefined) {
    yield* startServer(cluster, { lastPort: yield* lastPort(cluster), isPortUsed, overrides, stalePid: file?.pid })
    return yield* new NotReady()
  }
  if (postmaster.state !== "ready") return yield* new NotReady()
  const name = mode === "own" ? `chronoforge serve, process ${process.pid}` : `chronoforge, process ${process.pid}`
  const session = yield* openSession(urlOf(cluster, postmaster.port), name).pipe(
    Effect.catch((error) => onConnectFailure(cluster, postmaster, mode, error))
  )
  backends.add(session.backend)
  const attachment: Attachment = { session, postmaster }
  if (mode === "own") yield* register(cluster, attachment, { name, backends })
  return attachment
})

/** Stops a server that was started for a use that did not come about, unless somebody else uses it. */
const stopIfUnused = (cluster: Cluster): Effect.Effect<void> =>
  Effect.gen(function* () {
    const postmaster = yield* findPostmaster(cluster.folder)
    if (postmaster?.state !== "ready") return
    const session = yield* Effect.option(openSession(urlOf(cluster, postmaster.port), "chronoforge"))
    if (Option.isSome(session)) yield* detach(cluster, { session: session.value, postmaster })
  })

/** Says, once, that a start takes long; never ends. */
const logSlowStart = ({ dataDir }: Cluster): Effect.Effect<never> =>
  Effect.sleep("5 seconds").pipe(
    Effect.andThen(Effect.logInfo(`Waiting for the embedded Postgres; see ${dataDir}/postgres.log`)),
    Effect.andThen(Effect.never)
  )

/** Finds or starts the server, and registers as its user, and as the service in mode `own`. */
const attach = (
  cluster: Cluster,
  options: EmbeddedOptions,
  earlier: Earlier = { isPortUsed: false, backends: new Set() }
): Effect.Effect<Attachment, StartError | Taken> =>
  Effect.suspend(() => {
    let attached: Attachment | undefined
    const attaching = Effect.gen(function* () {
      const attachment = yield* attachOnce(cluster, options, earlier).pipe(
        Effect.retry({ while: (error) => error._tag === "NotReady", schedule: Schedule.spaced(pollInterval) }),
        Effect.catchTag("NotReady", Effect.die),
        // It is noted before anybody else runs: who is interrupted while it is handed on does not get it.
        Effect.tap((made) =>
          Effect.sync(() => {
            attached = made
          })
        ),
        Effect.raceFirst(logSlowStart(cluster))
      )
      const { port } = attachment.postmaster
      if (port !== (yield* lastPort(cluster))) yield* publish(cluster, port)
      return attachment
    })
    return attaching.pipe(
      Effect.onInterrupt(() => (attached === undefined ? stopIfUnused(cluster) : Effect.void)),
      Effect.onError(() => (attached === undefined ? Effect.void : detach(cluster, attached)))
    )
  })

const inUse = ({ dataDir }: Cluster, { name }: Holder): string => `DATA_DIR ${dataDir} is in use by ${name}`

/** Stops this process as its supervisor would. */
const stopProcess = Effect.sync(() => process.kill(process.pid, "SIGTERM"))

/** Waits until the server, or the connection to it, is lost, and attaches again. */
const regain = Effect.fnUntraced(function* (cluster: Cluster, options: EmbeddedOptions, current: Ref.Ref<Attachment>) {
  const { postmaster, session } = yield* Ref.get(current)
  yield* Deferred.await(session.ended)
  yield* Effect.logWarning(`Lost the embedded Postgres (process ${postmaster.pid}); see ${cluster.dataDir}/postgres.log`)
  yield* endSession(session)
  const earlier: Earlier = { isPortUsed: true, backends: new Set([session.backend]) }
  const attachment = yield* attach(cluster, options, earlier).pipe(
    Effect.tapErrorTag("StartError", (error) => Effect.logError(error.message)),
    Effect.retry({ while: (error) => error._tag === "StartError", schedule: Schedule.spaced("1 second") }),
    Effect.catchTag("StartError", Effect.die)
  )
  yield* Ref.set(current, attachment)
  if (attachment.postmaster.port !== postmaster.port) {
    // All connections of this process use the old port, so the process has to restart.
    yield* Effect.logError(`The embedded Postgres had to take port ${attachment.postmaster.port}: this process stops`)
    yield* stopProcess
  }
  yield* Effect.logInfo(`The embedded Postgres runs again (process ${attachment.postmaster.pid})`)
})

/**
 * Starts the server again, on the same port, when it ends under our hands (killed, out of memory). A process whose folder somebody else
 * took while it had no connection stops: two must not serve it.
 */
const supervise = (cluster: Cluster, options: EmbeddedOptions, current: Ref.Ref<Attachment>): Effect.Effect<never> =>
  regain(cluster, options, current).pipe(
    Effect.catchTag("Taken", ({ holder }) =>
      Effect.logError(`${inUse(cluster, holder)} by now: this process stops`).pipe(
        Effect.andThen(stopProcess),
        Effect.andThen(Effect.never)
      )
    ),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) =>
        Effect.andThen(
          Effect.logError("The guard of the embedded Postgres failed and begins again", cause),
          Effect.sleep("1 second")
        )
    ),
    Effect.forever
  )

/**
 * Uses the embedded Postgres of a data folder until the scope closes; answers its URL. Whoever comes first starts the server,
 * whoever goes last stops it. After a kill the server runs on; the next use takes it over.
 */
export const embeddedPostgres = Effect.fn("embeddedPostgres")(function* (options: EmbeddedOptions) {
  const cluster = yield* openCluster(options.dataDir)
  const current = yield* Effect.acquireRelease(
    attach(cluster, options).pipe(
      Effect.catchTag("Taken", ({ holder }) =>
        Effect.fail(new StartError({ message: `${inUse(cluster, holder)}: stop it first, or choose another DATA_DIR` }))
      ),
      Effect.flatMap(Ref.make)
    ),
    (ref) => Effect.flatMap(Ref.get(ref), (attachment) => detach(cluster, attachment)),
    { interruptible: true }
  )
  yield* Effect.forkScoped(supervise(cluster, options, current))
  const { postmaster } = yield* Ref.get(current)
  return { url: urlOf(cluster, postmaster.port), pid: postmaster.pid }
})
