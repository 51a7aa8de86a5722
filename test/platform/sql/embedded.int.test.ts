import { chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { StartError } from "#src/kernel/StartError.ts"
import { binaries } from "#src/platform/sql/embedded/binaries.ts"
import { embeddedPostgres, type Mode } from "#src/platform/sql/embedded/embedded.ts"
import { findPostmaster } from "#src/platform/sql/embedded/postmaster.ts"
import { chooseLaunch } from "#src/platform/sql/embedded/user.ts"
import { ask } from "#test/support/database.ts"
import { embeddedProcess, usingProcess } from "#test/support/processes/embeddedProcess.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

// Closed to other users: as root, the server's user needs help to pass it.
const folder = temporaryFolder()
const dataDir = () => join(folder(), "data")
const postmaster = Effect.suspend(() => findPostmaster(join(dataDir(), "postgres", "cluster")))
const use = (mode: Mode) => Effect.suspend(() => embeddedPostgres({ dataDir: dataDir(), mode }))

const inUse = (path: string, pid: number): string =>
  `DATA_DIR ${path} is in use by chronoforge serve, process ${pid}: stop it first, or choose another DATA_DIR`

it.live("the first start makes a durable server of our own, the end of its use stops it", () =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { url, pid } = yield* use("own")
        assert.strictEqual((yield* postmaster)?.pid, pid)
        const settings = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "password_encryption"]
        assert.deepEqual(
          yield* ask(
            url,
            `select ${settings.map((name) => `current_setting('${name}')`)}, lower('É'), 'a' > 'B' as by_code_point`
          ),
          [["on", "on", "on", "on", "scram-sha-256", "é", true]]
        )
      })
    )
    assert.isUndefined(yield* postmaster)
  })
)

it.live("a later start has the same address, and tells it to nobody else", () =>
  Effect.gen(function* () {
    const first = yield* Effect.scoped(use("own"))
    const second = yield* use("own")
    assert.strictEqual(second.url, first.url)
    const { hostname, password, port, username } = new URL(second.url)
    const file = join(dataDir(), "postgres.json")
    const text = yield* Effect.promise(() => readFile(file, "utf8"))
    assert.deepEqual(JSON.parse(text), { host: hostname, port: Number(port), user: username, password, database: "postgres" })
    const files = [file, join(dataDir(), "postgres", "password")]
    const modes = yield* Effect.promise(() => Promise.all(files.map(async (path) => (await stat(path)).mode & 0o777)))
    assert.deepEqual(modes, [0o600, 0o600])
  })
)

it.live("a second service is refused with the process that serves, and disturbs nothing", () =>
  Effect.gen(function* () {
    const owner = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    assert.deepEqual(yield* Effect.flip(use("own")), new StartError({ message: inUse(dataDir(), owner.pid) }))
    assert.deepEqual(yield* use("attach"), owner.server)
  })
)

it.live("a command uses the running server and leaves it running", () =>
  Effect.gen(function* () {
    const owner = yield* use("own")
    assert.deepEqual(yield* Effect.scoped(use("attach")), owner)
    assert.strictEqual((yield* postmaster)?.pid, owner.pid)
  })
)

it.live("whoever goes last stops the server: a command that outlives the service", () =>
  Effect.gen(function* () {
    const owner = yield* usingProcess({ dataDir: dataDir(), mode: "own" })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const command = yield* use("attach")
        yield* owner.end("SIGTERM")
        assert.deepEqual([command, yield* ask(command.url, "select 1")], [owner.server, [[1]]])
      })
    )
    assert.isUndefined(yield* postmaster)
  })
)

it.live("the service goes on with the server that a command started", () =>
  Effect.gen(function* () {
    const command = yield* usingProcess({ dataDir: dataDir(), mode: "attach" })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const owner = yield* use("own")
        yield* command.end("SIGINT")
        assert.deepEqual([owner, (yield* postmaster)?.pid], [command.server, owner.pid])
      })
    )
    assert.isUndefined(yield* postmaster)
  })
)

it.live("of two services that start first at the same time one is refused, and a command finds the other", () =>
  Effect.gen(function* () {
    const fresh = join(folder(), "fresh")
    // What a killed initialisation leaves.
    yield* Effect.promise(() => mkdir(join(fresh, "postgres.new-killed", "cluster"), { recursive: true }))
    const service = embeddedProcess({ dataDir: fresh, mode: "own" })
    const services = yield* Effect.all([service, service], { concurrency: "unbounded" })
    const serving = services.filter(({ answer }) => "url" in answer)
    const command = yield* embeddedProcess({ dataDir: fresh, mode: "attach" })
    assert.deepEqual(
      services.filter(({ answer }) => "message" in answer).map(({ answer }) => answer),
      serving.map(({ pid }) => ({ message: inUse(fresh, pid) }))
    )
    assert.deepEqual(
      [command.answer],
      serving.map(({ answer }) => answer)
    )
    const files = yield* Effect.promise(() => readdir(fresh))
    assert.deepEqual(files.sort(), ["postgres", "postgres.json", "postgres.log"])
  })
)

it.live("an ordinary user starts it as itself", () =>
  Effect.gen(function* () {
    const home = join(folder(), "ordinary")
    yield* Effect.promise(() => mkdir(home))
    const { postgres } = yield* binaries
    // For a run as root: the user, and the means to get there, with which the service would run Postgres itself.
    const launch = yield* chooseLaunch(postgres, folder(), home)
    const { owner } = launch
    if (owner !== undefined) yield* Effect.promise(() => chown(home, owner.uid, owner.gid))
    const { server } = yield* usingProcess({ dataDir: join(home, "data"), mode: "own", ...launch })
    assert.deepEqual(yield* ask(server.url, "select 1"), [[1]])
  })
)

it.live("what keeps the server from starting is told", () =>
  Effect.gen(function* () {
    const foreign = join(folder(), "foreign")
    const start = embeddedPostgres({ dataDir: foreign, mode: "own" })
    yield* Effect.scoped(start)
    yield* Effect.promise(() => writeFile(join(foreign, "postgres", "cluster", "PG_VERSION"), "15\n"))
    const message =
      `DATA_DIR ${foreign}: the embedded Postgres does not start: database files are incompatible with server: ` +
      "The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 18.4."
    assert.deepEqual(yield* Effect.flip(start), new StartError({ message }))
  })
)

it.live("a DATA_DIR that cannot be made is told", () =>
  Effect.gen(function* () {
    const file = join(folder(), "file")
    yield* Effect.promise(() => writeFile(file, ""))
    const path = join(file, "data")
    assert.deepEqual(
      yield* Effect.flip(embeddedPostgres({ dataDir: path, mode: "own" })),
      new StartError({ message: `DATA_DIR ${path}: ENOTDIR: not a directory, mkdir '${path}'` })
    )
  })
)
