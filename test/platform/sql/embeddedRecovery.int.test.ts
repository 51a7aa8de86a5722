import { once } from "node:events"
import { readFileSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { createServer, Socket } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Logger, References, Schedule } from "effect"
import fc from "fast-check"
import { vi } from "vitest"
import { embeddedPostgres } from "#src/platform/sql/embedded/embedded.ts"
import { findPostmaster } from "#src/platform/sql/embedded/postmaster.ts"
import { ask } from "#test/support/database.ts"
import { embeddedProcess, usingProcess } from "#test/support/processes/embeddedProcess.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const dataDir = () => join(folder(), "data")
const cluster = () => join(dataDir(), "postgres", "cluster")
const postmaster = Effect.suspend(() => findPostmaster(cluster()))
const serve = Effect.suspend(() => embeddedPostgres({ dataDir: dataDir(), mode: "own" }))

it.live("a killed service leaves its server to the next one", () =>
  Effect.gen(function* () {
    const killed = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    yield* killed.end("SIGKILL")
    assert.deepEqual(yield* Effect.scoped(serve), killed.server)
    assert.isUndefined(yield* postmaster)
  })
)

it.live("recovers when service and server were killed, though another server has the old one's number", () =>
  Effect.gen(function* () {
    const killed = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    yield* ask(killed.server.url, "create table acknowledged as select 7 as number")
    yield* killed.end("SIGKILL")
    process.kill(killed.server.pid, "SIGKILL")
    yield* Effect.repeat(postmaster, { until: (found) => found === undefined })
    // Of the same system user, so that Postgres alone would take it for the old server and refuse to start.
    const other = yield* usingProcess({ dataDir: join(folder(), "other"), mode: "attach" })
    yield* Effect.promise(async () => {
      const pidFile = join(cluster(), "postmaster.pid")
      const [, ...rest] = (await readFile(pidFile, "utf8")).split("\n")
      await writeFile(pidFile, [other.server.pid, ...rest].join("\n"))
    })
    const { url } = yield* serve
    assert.strictEqual(url, killed.server.url)
    assert.deepEqual(yield* ask(url, "select number from acknowledged"), [[7]])
  })
)

it.live("starts over a lock file that a server left empty when it died", () =>
  Effect.gen(function* () {
    const pidFile = join(cluster(), "postmaster.pid")
    yield* Effect.scoped(serve)
    yield* Effect.promise(() => writeFile(pidFile, ""))
    const { pid } = yield* serve
    const [written] = (yield* Effect.promise(() => readFile(pidFile, "utf8"))).split("\n")
    assert.strictEqual(written, String(pid))
  })
)

it.live("waits for a server that has made its lock file and not written it yet", () =>
  Effect.gen(function* () {
    const pidFile = join(cluster(), "postmaster.pid")
    const log = join(dataDir(), "postgres.log")
    yield* Effect.scoped(serve)
    yield* Effect.promise(() => writeFile(pidFile, ""))
    const starting = yield* Effect.forkChild(serve)
    // The second refusal shows that the first was waited out.
    yield* Effect.promise(() => readFile(log, "utf8")).pipe(
      Effect.repeat({ until: (text) => text.split("is empty").length > 2, schedule: Schedule.spaced("10 millis") })
    )
    yield* Effect.promise(() => rm(pidFile))
    yield* Fiber.join(starting)
    assert.strictEqual((yield* postmaster)?.state, "ready")
  })
)

it.live("a server that dies under the service comes back at the same address", () =>
  Effect.gen(function* () {
    const before = yield* serve
    process.kill(before.pid, "SIGKILL")
    const running = yield* postmaster.pipe(
      Effect.repeat({
        until: (found) => found?.state === "ready" && found.pid !== before.pid,
        schedule: Schedule.spaced("10 millis")
      })
    )
    assert.strictEqual(String(running?.port), new URL(before.url).port)
    assert.deepEqual(yield* ask(before.url, "select 1"), [[1]])
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
)

/** Waits, at once and without letting anybody else run, until a killed process of this one holds nothing any more. */
const awaitDeath = (pid: number): void => {
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

it.live("waits for its port, which a process that its dead server was just making may hold for a moment", () => {
  const port = createServer()
  const log = Logger.make(({ message }) => {
    if (/^Waiting for port \d+ of the embedded Postgres, which is in use$/.test(String(message))) port.close()
  })
  return Effect.gen(function* () {
    const before = yield* serve
    const number = Number(new URL(before.url).port)
    process.kill(before.pid, "SIGKILL")
    awaitDeath(before.pid)
    port.listen(number, "127.0.0.1")
    yield* Effect.promise(() => once(port, "close"))
    yield* Effect.repeat(postmaster, { until: (found) => found?.state === "ready", schedule: Schedule.spaced("10 millis") })
    assert.deepEqual(yield* ask(before.url, "select 1"), [[1]])
  }).pipe(Effect.provide(Logger.layer([log])))
})

const othersOf = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
/** Ends all connections to the server but the own one; answers how many. */
const cutAll = (url: string) => ask(url, `select pg_terminate_backend(pid) ${othersOf}`)
const isServed = (url: string) =>
  Effect.map(
    ask(url, "select 1 from pg_locks where locktype = 'advisory' and (classid, objid) = (17222, 2) and granted"),
    (rows) => rows.length > 0
  )

it.live("leaves no session open that stops while it regains its server", () =>
  Effect.gen(function* () {
    for (let stops = 0; stops < 40; stops++) {
      // A session that was left open would be taken for another service here.
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* serve
          yield* cutAll(url)
          yield* Effect.sleep(stops)
        })
      )
    }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
)

it.live("keeps guarding its server, however often its connections are cut", () =>
  Effect.gen(function* () {
    const { pid, url } = yield* serve
    for (let cuts = 0; cuts < 20; cuts++) {
      yield* Effect.sleep(fc.sample(fc.integer({ min: 0, max: 40 }), 1)[0] ?? 0)
      yield* cutAll(url)
    }
    process.kill(pid, "SIGKILL")
    const isBack = postmaster.pipe(
      Effect.flatMap((found) => (found?.state === "ready" && found.pid !== pid ? isServed(url) : Effect.succeed(false))),
      Effect.catchDefect(() => Effect.succeed(false))
    )
    yield* Effect.repeat(isBack, { until: (back) => back, schedule: Schedule.spaced("10 millis") })
    const second = yield* embeddedProcess({ dataDir: dataDir(), mode: "own" })
    assert.deepEqual(second.answer, {
      message: `DATA_DIR ${dataDir()} is in use by chronoforge serve, process ${process.pid}: stop it first, or choose another DATA_DIR`
    })
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
)

it.live("a command that finds the server standing still leaves it to the service, which goes on with it", () =>
  Effect.gen(function* () {
    const { url } = yield* serve
    const { pid = 0 } = (yield* postmaster) ?? {}
    const started = ask(url, "select pg_postmaster_start_time()::text")
    const before = yield* started
    process.kill(pid, "SIGSTOP")
    const command = yield* embeddedProcess({ dataDir: dataDir(), mode: "attach" }).pipe(
      Effect.ensuring(Effect.sync(() => process.kill(pid, "SIGCONT")))
    )
    const message = `DATA_DIR ${dataDir()}: the embedded Postgres (process ${pid}) does not answer`
    assert.deepEqual(command.answer, { message })
    assert.deepEqual(yield* started, before)
  })
)

it.live("takes over from a session of its own whose end the server has not noticed", () => {
  const connect = vi.spyOn(Socket.prototype, "connect")
  return Effect.gen(function* () {
    const { url } = yield* serve
    const port = Number(new URL(url).port)
    const name = `chronoforge serve, process ${process.pid}`
    const sessions = Effect.map(
      ask(url, `select pid ${othersOf} and application_name = '${name}' and state is not null`),
      (rows) => rows.flat().map(Number)
    )
    const [first = 0] = yield* sessions
    process.kill(first, "SIGSTOP")
    for (const socket of connect.mock.contexts) {
      if (socket instanceof Socket && socket.remotePort === port) socket.destroy()
    }
    // Each attempt has a session of its own: where there was another one, the first had found the lock held.
    const seen = new Set<number>()
    yield* sessions.pipe(
      Effect.tap((found) =>
        Effect.sync(() => {
          for (const pid of found) seen.add(pid)
        })
      ),
      Effect.repeat({ until: () => seen.size > 2, schedule: Schedule.spaced("10 millis") })
    )
    process.kill(first, "SIGCONT")
    const holder = `select a.pid, a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and (l.classid, l.objid) = (17222, 2) and l.granted`
    const [taken] = yield* Effect.repeat(ask(url, holder), {
      until: (rows) => rows.length > 0 && rows[0]?.[0] !== first,
      schedule: Schedule.spaced("10 millis")
    })
    assert.strictEqual(taken?.[1], name)
  }).pipe(Effect.ensuring(Effect.sync(() => connect.mockRestore())), Effect.provideService(References.MinimumLogLevel, "None"))
})

it.live("stops when somebody else took the folder while it stood still", () =>
  Effect.gen(function* () {
    const first = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    first.signal("SIGSTOP")
    yield* cutAll(first.server.url)
    const second = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    first.signal("SIGCONT")
    yield* first.ended
    assert.deepEqual(second.server, first.server)
    assert.deepEqual(yield* ask(second.server.url, "select 1"), [[1]])
  })
)
