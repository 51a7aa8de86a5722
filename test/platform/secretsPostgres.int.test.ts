import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, References } from "effect"
import { afterAll, beforeAll, expect } from "vitest"
import { AppConfig } from "#src/config.ts"
import { checkSecretKey, fitsStoredKeys, layerSecretsPostgres } from "#src/platform/secrets/postgres.ts"
import { Secrets } from "#src/platform/secrets/Secrets.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-secrets-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Settings of a process; a folder of its own for each `name`. */
const settingsOf = (name: string, env: Readonly<Record<string, string>> = {}) =>
  Layer.suspend(() =>
    Layer.provide(
      AppConfig.layer,
      ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: join(folder, name), ...env } }))
    )
  )

const secretsOf = (name: string, env?: Readonly<Record<string, string>>) =>
  Layer.fresh(Layer.provideMerge(layerSecretsPostgres, settingsOf(name, env)))

const dataKeys = Sql.use(({ client }) =>
  query(() => client<Array<{ stream: string }>>`select stream from chronoforge.data_keys order by stream`)
)
const change = (statement: string) => Sql.use(({ client }) => query(() => client.unsafe(statement)))
const forgetAll = change("delete from chronoforge.data_keys")

layer(databaseLayer)("secrets at rest", (it) => {
  it.effect("are sealed and opened with one key a stream, until it is forgotten", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const secrets = yield* Secrets
      const [first, second] = [yield* secrets.seal("cluster-1", "one"), yield* secrets.seal("cluster-1", "two")]
      const other = yield* secrets.seal("cluster-2", "three")
      expect(yield* dataKeys).toEqual([{ stream: "cluster-1" }, { stream: "cluster-2" }])
      expect([yield* secrets.open("cluster-1", first), yield* secrets.open("cluster-1", second)]).toEqual(["one", "two"])
      yield* secrets.deleteKey("cluster-1")
      expect(yield* secrets.open("cluster-1", first)).toBeUndefined()
      expect(yield* secrets.open("cluster-2", other)).toBe("three")
      yield* secrets.seal("cluster-1", "four")
      expect(yield* secrets.open("cluster-1", first)).toBeUndefined()
      expect(yield* secrets.open("cluster-3", first)).toBeUndefined()
    }).pipe(Effect.provide(secretsOf("one", { SECRET_KEY: "the key of this test" })))
  )

  it.effect("get one key when many are sealed for a new stream at once", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const secrets = yield* Secrets
      const texts = Array.from({ length: 16 }, (_, index) => String(index))
      const sealed = yield* Effect.forEach(texts, (text) => secrets.seal("cluster-1", text), { concurrency: "unbounded" })
      expect(yield* Effect.forEach(sealed, (text) => secrets.open("cluster-1", text))).toEqual(texts)
    }).pipe(Effect.provide(secretsOf("many")))
  )

  it.effect("outlive the process with the generated SECRET_KEY, which only its owner may read", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const sealed = yield* Secrets.use(({ seal }) => seal("cluster-1", "kept")).pipe(Effect.provide(secretsOf("kept")))
      const path = join(folder, "kept", "secret-key")
      const { mode } = yield* Effect.promise(() => stat(path))
      expect(mode & 0o777).toBe(0o600)
      expect(yield* Effect.promise(() => readFile(path, "utf8"))).toMatch(/^[A-Za-z0-9_-]{43}\n$/)
      const opened = Secrets.use(({ open }) => open("cluster-1", sealed)).pipe(Effect.provide(secretsOf("kept")))
      expect(yield* opened).toBe("kept")
    })
  )

  it.effect("are the same for processes that generate SECRET_KEY at the same time", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const sealOf = (index: number) =>
        Secrets.use(({ seal }) => seal(`cluster-${index}`, String(index))).pipe(Effect.provide(secretsOf("race")))
      const indexes = Array.from({ length: 8 }, (_, index) => index)
      const sealed = yield* Effect.forEach(indexes, sealOf, { concurrency: "unbounded" })
      const opened = Effect.forEach(sealed, (text, index) => Secrets.use(({ open }) => open(`cluster-${index}`, text)))
      expect(yield* opened.pipe(Effect.provide(secretsOf("race")))).toEqual(indexes.map(String))
      expect(yield* Effect.promise(() => readdir(join(folder, "race")))).toEqual(["secret-key"])
    })
  )

  it.effect("read as absent under another SECRET_KEY, which can be told beforehand and stops no new secret", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const [before, after] = [
        secretsOf("other", { SECRET_KEY: "the key from before" }),
        secretsOf("other", { SECRET_KEY: "the key from after" })
      ]
      const sealed = yield* Secrets.use(({ seal }) => seal("cluster-1", "old")).pipe(Effect.provide(before))
      const check = (env?: Readonly<Record<string, string>>) => checkSecretKey.pipe(Effect.provide(settingsOf("other", env)))
      expect(yield* check({ SECRET_KEY: "the key from before" })).toEqual({ present: true, stored: 1, unreadable: 0 })
      expect(yield* check({ SECRET_KEY: "the key from after" })).toEqual({ present: true, stored: 1, unreadable: 1 })
      expect(yield* check()).toEqual({ present: false, stored: 1, unreadable: 1 })
      yield* Effect.gen(function* () {
        const secrets = yield* Secrets
        expect(yield* secrets.open("cluster-1", sealed)).toBeUndefined()
        const renewed = yield* secrets.seal("cluster-1", "new").pipe(Effect.provideService(References.MinimumLogLevel, "Error"))
        expect(yield* secrets.open("cluster-1", renewed)).toBe("new")
      }).pipe(Effect.provide(after))
      expect(yield* check({ SECRET_KEY: "the key from after" })).toEqual({ present: true, stored: 1, unreadable: 0 })
    })
  )

  it.effect("tell by a fingerprint whether SECRET_KEY fits, without a look at each", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const [one, two] = [{ SECRET_KEY: "the first key of two" }, { SECRET_KEY: "the second key of two" }]
      const sealAs = (env: typeof one, stream: string) =>
        Secrets.use(({ seal }) => seal(stream, "text")).pipe(Effect.provide(secretsOf("two", env)))
      const fits = (env: typeof one) => Effect.provide(fitsStoredKeys, settingsOf("two", env))
      expect(yield* fits(one)).toBe(true)
      yield* sealAs(one, "cluster-1")
      expect([yield* fits(one), yield* fits(two)]).toEqual([true, false])
      // Only who unwraps it would see that.
      yield* change("update chronoforge.data_keys set wrapped = 'damaged'")
      expect([yield* fits(one), yield* fits(two)]).toEqual([true, false])
      yield* sealAs(two, "cluster-2")
      expect([yield* fits(one), yield* fits(two)]).toEqual([false, false])
      yield* sealAs(two, "cluster-1").pipe(Effect.provideService(References.MinimumLogLevel, "Error"))
      expect([yield* fits(one), yield* fits(two)]).toEqual([false, true])
    })
  )

  it.effect("from before there were fingerprints get theirs once, where SECRET_KEY fits", () =>
    Effect.gen(function* () {
      yield* forgetAll
      const [one, two] = [{ SECRET_KEY: "the first key of two" }, { SECRET_KEY: "the second key of two" }]
      const fits = (env: typeof one) => Effect.provide(fitsStoredKeys, settingsOf("former", env))
      const unlabelled = Sql.use(({ client }) =>
        query(() => client<Array<{ stream: string }>>`select stream from chronoforge.data_keys where wrapped_by is null`)
      )
      const streams = Array.from({ length: 600 }, (_, index) => `cluster-${index}`)
      yield* Effect.forEach(streams, (stream) => Secrets.use(({ seal }) => seal(stream, "text"))).pipe(
        Effect.provide(secretsOf("former", one))
      )
      yield* change("update chronoforge.data_keys set wrapped_by = null")
      expect([yield* fits(two), (yield* unlabelled).length]).toEqual([false, 600])
      expect([yield* fits(one), yield* unlabelled, yield* fits(two)]).toEqual([true, [], false])
      yield* change("update chronoforge.data_keys set wrapped_by = null, wrapped = 'lost' where stream = 'cluster-7'")
      expect([yield* fits(one), yield* unlabelled]).toEqual([false, [{ stream: "cluster-7" }]])
    })
  )

  it.effect("are not kept under an empty key file", () =>
    Effect.gen(function* () {
      const path = join(folder, "secret-key")
      yield* Effect.promise(() => writeFile(path, "\n"))
      const failure = yield* Effect.flip(Layer.build(secretsOf("."))).pipe(Effect.scoped)
      expect(failure).toMatchObject({ message: `Cannot use ${path}: the file is empty` })
    })
  )
})
