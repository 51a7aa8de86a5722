import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { inject } from "vitest"
import { AppConfig } from "#src/config.ts"
import { StartError } from "#src/kernel/StartError.ts"
import { checkServerVersion, sqlLayer } from "#src/platform/sql/connect.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"

const serverUrl = () => new URL(inject("serverUrl"))

const settings = (databaseUrl: string) =>
  Layer.effect(
    AppConfig,
    Effect.map(AppConfig, (config) => ({ ...config, databaseUrl: Redacted.make(databaseUrl) }))
  ).pipe(Layer.provide(AppConfig.layer))

const run = <A, E>(databaseUrl: string, use: Effect.Effect<A, E, Sql>) =>
  Effect.provide(use, sqlLayer("own").pipe(Layer.provide(settings(databaseUrl))))

it.live("reads integers of 64 bits as numbers, and is named", () =>
  Effect.gen(function* () {
    const row = Sql.use(({ client }) =>
      query(async () => {
        const [found] = await client`
          select count(*) as count, ${9007199254740991}::bigint as big, array[1::int8, 2] as list,
            current_setting('application_name') as name`
        return { ...found }
      })
    )
    assert.deepEqual(yield* run(serverUrl().href, row), { count: 1, big: 9007199254740991, list: [1, 2], name: "chronoforge" })
  })
)

const refusals: Record<string, () => readonly [url: string, message: string]> = {
  "another scheme": () => ["mysql://root:secret@db/x", "DATABASE_URL: not a postgres:// URL"],
  "no URL": () => ["postgres://[", "DATABASE_URL: not a valid postgres:// URL"],
  "nothing listening": () => ["postgres://u:secret@127.0.0.1:1/x", "DATABASE_URL: cannot connect to 127.0.0.1:1: ECONNREFUSED"],
  "an unknown host": () => ["postgres://u:secret@host.invalid/x", "DATABASE_URL: cannot connect to host.invalid:5432: ENOTFOUND"],
  "a wrong password": () => {
    const url = Object.assign(serverUrl(), { password: "secret" })
    return [url.href, `DATABASE_URL: cannot connect to ${url.host}: password authentication failed for user "chronoforge"`]
  },
  "a server without TLS that is to have it": () => {
    const url = Object.assign(serverUrl(), { search: "?sslmode=require" })
    const hint = "sslmode asks for TLS: does the server have it?"
    return [url.href, `DATABASE_URL: cannot connect to ${url.host}: ECONNRESET; ${hint}`]
  },
  "an absent database": () => {
    const url = Object.assign(serverUrl(), { pathname: "/absent" })
    return [url.href, `DATABASE_URL: cannot connect to ${url.host}: database "absent" does not exist`]
  }
}

for (const [what, row] of Object.entries(refusals)) {
  it.live(`refuses ${what} with one line that holds no secret`, () =>
    Effect.gen(function* () {
      const [url, message] = row()
      assert.deepEqual(yield* Effect.flip(run(url, Effect.void)), new StartError({ message }))
    })
  )
}

it.live("says so where a service may want more connections than it can have", () =>
  Effect.gen(function* () {
    const limited = (sql: string) =>
      run(
        serverUrl().href,
        Effect.andThen(Sql, ({ client }) => query(() => client.unsafe(sql)))
      )
    const url = Object.assign(serverUrl(), { username: "few", password: "secret" })
    const lines: Array<unknown> = []
    const log = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
    const start = Effect.provide(run(url.href, Effect.void), log)
    yield* limited("create role few login password 'secret' connection limit 25")
    yield* start
    assert.deepEqual(lines, [])
    yield* limited("alter role few connection limit 24")
    yield* start
    yield* limited("drop role few")
    assert.deepEqual(lines, [
      [
        "DATABASE_POOL_SIZE: this process may want 25 connections, and DATABASE_URL allows 24 to all together: some may wait, or be refused"
      ]
    ])
  })
)

it.effect("needs Postgres 14", () =>
  Effect.gen(function* () {
    yield* checkServerVersion(140_000, "14.0")
    assert.deepEqual(
      yield* Effect.flip(checkServerVersion(130_014, "13.14 (Debian 13.14-1)")),
      new StartError({ message: "DATABASE_URL: the server is Postgres 13.14 (Debian 13.14-1); 14 or newer is needed" })
    )
  })
)

/** The server of this run, at a Unix socket in a folder of its own. */
const socketFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "chronoforge-socket-"))
    const { hostname, port } = serverUrl()
    const server = createServer((socket) => {
      const onward = connect(Number(port), hostname)
      socket.pipe(onward).pipe(socket)
      for (const end of [socket, onward]) end.on("error", () => end.destroy())
    })
    await once(server.listen(join(folder, ".s.PGSQL.5433")), "listening")
    return { folder, server }
  }),
  ({ folder, server }) =>
    Effect.promise(async () => {
      server.close()
      await rm(folder, { recursive: true })
    })
).pipe(Effect.map(({ folder }) => folder))

const socketUrls: Record<string, (folder: string) => string> = {
  "as an option": (folder) => `?host=${folder}&port=5433`,
  "as an option beside others": (folder) => `?sslmode=disable&host=${encodeURIComponent(folder)}&port=5433`,
  "in place of the host": (folder) => `@${encodeURIComponent(folder)}:5433`
}

for (const [where, urlOf] of Object.entries(socketUrls)) {
  it.live(`finds the folder of a Unix socket ${where}`, () =>
    Effect.gen(function* () {
      const folder = yield* socketFolder
      const { password, pathname, username } = serverUrl()
      const [, host = "", options = ""] = /^(?:@([^?]*))?(.*)$/.exec(urlOf(folder)) ?? []
      const url = `postgres://${username}:${password}@${host}${pathname}${options}`
      const found = Sql.use(({ client }) => query(() => client`select 1 as one`))
      assert.deepEqual([...(yield* run(url, found))], [{ one: 1 }])
      const elsewhere = url.replace("5433", "5434")
      const message = `DATABASE_URL: cannot connect to ${folder}/.s.PGSQL.5434: ENOENT`
      assert.deepEqual(yield* Effect.flip(run(elsewhere, Effect.void)), new StartError({ message }))
    }).pipe(Effect.scoped)
  )
}
