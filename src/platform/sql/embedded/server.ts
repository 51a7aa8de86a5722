import { spawn } from "node:child_process"
import { open, readFile, rename, rm, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { Data, Deferred, Effect, Schedule } from "effect"
import { defined } from "../../../kernel/defined.ts"
import { StartError } from "../../../kernel/StartError.ts"
import { type Cluster, environment, fileOperation } from "./cluster.ts"
import { findPostmaster, pollInterval, stopPostmaster } from "./postmaster.ts"

/** Parameters of the server, as in postgresql.conf. */
export type ServerSettings = Readonly<Record<string, string>>

const settings: ServerSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_wal_size: "1GB",
  checkpoint_timeout: "10min",
  log_checkpoints: "off",
  // A killed client's running statement ends too, and with it what it locks.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Statements are short: compiling them costs more than it saves.
  jit: "off"
}

/** The server ended before it was ready. */
class Exited extends Data.TaggedError("Exited")<{ readonly reason: string }> {}

/** `postmaster.pid` has no content: its server has just made it, or died at that moment. */
const isLockEmpty = ({ reason }: Exited): boolean => /lock file .* is empty/.test(reason)

/** Another starter was faster, another program took the port, or the last of a dead server's processes is still ending. */
const isTransient = (exited: Exited): boolean =>
  isLockEmpty(exited) || /already exists|could not create any TCP|still in use/.test(exited.reason)

/** The port, or with 0 any, if it is free. It may be taken before the server has it: the start is then repeated. */
const probe = (port: number): Effect.Effect<number | undefined> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.undefined))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port)))
    })
  })

/** How long a port that connections use is waited for: a process that a killed server was just making may hold it for a moment. */
const portTimeout = "10 seconds"

/** Undefined when somebody else has started the server meanwhile, which has the port then. */
const waitForPort = (port: number, folder: string): Effect.Effect<number | undefined> =>
  Effect.gen(function* () {
    yield* Effect.logInfo(`Waiting for port ${port} of the embedded Postgres, which is in use`)
    const look = Effect.gen(function* () {
      const free = yield* probe(port)
      return { free, isOver: free !== undefined || (yield* findPostmaster(folder)) !== undefined }
    })
    return yield* look.pipe(
      Effect.repeat({ until: ({ isOver }) => isOver, schedule: Schedule.spaced(pollInterval) }),
      Effect.map(({ free }) => free),
      Effect.timeoutOrElse({ duration: portTimeout, orElse: () => probe(0) })
    )
  })

/** The port of the last start if it is free, else another one. One that connections use is waited for. */
const choosePort = Effect.fnUntraced(function* ({ lastPort, isPortUsed }: StartOptions, folder: string) {
  const free = yield* probe(lastPort)
  if (free !== undefined) return free
  return yield* isPortUsed ? waitForPort(lastPort, folder) : probe(0)
})

const logLimitBytes = 10 * 1024 * 1024

/** Opens the server's log; one that has grown large is kept once as `postgres.log.1`. */
const openLog = async (path: string) => {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0
  )
  if (size > logLimitBytes) await rename(path, `${path}.1`)
  return { file: await open(path, "a", 0o600), start: size > logLimitBytes ? 0 : size }
}

/** The lines in which the server said why it ended. */
const reasonIn = async (path: string, start: number): Promise<string> => {
  const lines = (await readFile(path)).subarray(start).toString("utf8").trim().split("\n")
  const relevant = lines
    .filter((line) => /FATAL: |PANIC: |DETAIL: /.test(line))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|DETAIL): +/, ""))
  return (relevant.length > 0 ? relevant : lines.slice(-1)).join(": ")
}

export interface StartOptions {
  /** The server had it when it last ran; 0 for any. */
  readonly lastPort: number
  /** Whether this process has connections that end when the server gets another port. */
  readonly isPortUsed: boolean
  readonly overrides: ServerSettings
  /** Process number in a `postmaster.pid` that was found to be no server of this cluster. */
  readonly stalePid: number | undefined
}

const startOnce = Effect.fn("embedded.start")(function* (cluster: Cluster, options: StartOptions) {
  const { folder, launch, programs } = cluster
  const port = yield* choosePort(options, folder)
  if (port === undefined) return
  const logPath = join(cluster.dataDir, "postgres.log")
  const log = yield* fileOperation(cluster.dataDir, () => openLog(logPath))
  const flags = Object.entries({ ...settings, ...options.overrides, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`
  ])
  const [command = "", ...args] = [...launch.prefix, programs.postgres, "-D", folder, ...flags]
  const ended = yield* Deferred.make<never, Exited | StartError>()
  // The server has its own process group and no pipe to this process, so that Ctrl-C and the end of this process do not reach it.
  const child = spawn(command, args, {
    cwd: "/",
    detached: true,
    stdio: ["ignore", log.file.fd, log.file.fd],
    // Postgres takes a process of this number for an ancestor of its own, not for the server that left postmaster.pid.
    env: { ...environment, ...defined({ PG_GRANDPARENT_PID: options.stalePid?.toString() }) },
    ...launch.ids
  })
  child.once("error", (error) =>
    Deferred.doneUnsafe(ended, Effect.fail(new StartError({ message: `Cannot run ${programs.postgres}: ${error.message}` })))
  )
  child.once("exit", () =>
    Deferred.doneUnsafe(
      ended,
      Effect.flatMap(
        Effect.promise(() => reasonIn(logPath, log.start)),
        (reason) => Effect.fail(new Exited({ reason }))
      )
    )
  )
  child.unref()
  yield* Effect.promise(() => log.file.close())
  const ready = findPostmaster(folder).pipe(
    Effect.repeat({
      until: (found) => found?.pid === child.pid && found?.state === "ready",
      schedule: Schedule.spaced(pollInterval)
    })
  )
  yield* Effect.raceFirst(ready, Deferred.await(ended)).pipe(
    Effect.onInterrupt(() => (child.pid === undefined ? Effect.void : stopPostmaster(folder, child.pid)))
  )
})

/** Starts the server, again while what stands in the way can pass. */
const startWithRetry = (cluster: Cluster, options: StartOptions): Effect.Effect<void, Exited | StartError> =>
  startOnce(cluster, options).pipe(
    Effect.catchTag("Exited", (exited) =>
      Effect.gen(function* () {
        const winner = isTransient(exited) ? yield* findPostmaster(cluster.folder) : undefined
        if (winner === undefined) return yield* exited
      })
    ),
    Effect.retry({
      while: (error) => error._tag === "Exited" && isTransient(error),
      times: 6,
      schedule: Schedule.exponential("50 millis")
    })
  )

/**
 * Starts the server; returns when it takes connections, or when another process has started it meanwhile. Of simultaneous starts
 * exactly one wins: Postgres creates `postmaster.pid` exclusively, and checks for shared memory still in use when it replaces a stale one.
 * A `postmaster.pid` that stays empty for three seconds was left by a server that died before it could write it: it is removed.
 */
export const startServer = (cluster: Cluster, options: StartOptions): Effect.Effect<void, StartError> =>
  startWithRetry(cluster, options).pipe(
    Effect.catchIf(
      (error) => error._tag === "Exited" && isLockEmpty(error),
      () =>
        Effect.andThen(
          fileOperation(cluster.dataDir, () => rm(join(cluster.folder, "postmaster.pid"), { force: true })),
          startWithRetry(cluster, options)
        )
    ),
    Effect.catchTag("Exited", ({ reason }) =>
      Effect.fail(new StartError({ message: `DATA_DIR ${cluster.dataDir}: the embedded Postgres does not start: ${reason}` }))
    )
  )
