import { assert, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { connect } from "#src/platform/sql/connect.ts"
import { loadMigrations, type Migration, migrate } from "#src/platform/sql/migrate.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"

const first: Migration = { number: 1, name: "first", sql: "create table a (id int);\ninsert into a values (1)" }
const second: Migration = { number: 2, name: "second", sql: "insert into a values (2)" }
const broken: Migration = { number: 2, name: "broken", sql: "insert into a values (3); select nonsense" }

/** An empty database, seen through a pool of one connection. */
const process = (url: string) => Layer.fresh(Layer.effect(Sql, connect(url, 1)))

const migrateAs = (url: string, migrations?: ReadonlyArray<Migration>) =>
  Effect.provide(migrate(migrations), process(url)).pipe(Effect.provideService(References.MinimumLogLevel, "Warn"))

/** Rows of table `a`, and the recorded steps. */
const state = (url: string) =>
  Sql.use(({ client }) =>
    Effect.all([
      query(() => client<Array<{ id: number }>>`select id from a order by id`),
      query(
        () => client<Array<{ number: number; name: string }>>`select number, name from chronoforge.migrations order by number`
      )
    ])
  ).pipe(
    Effect.map(([rows, steps]) => ({
      rows: rows.map((row) => row.id),
      steps: steps.map((step) => `${step.number} ${step.name}`)
    })),
    Effect.provide(process(url))
  )

const bothApplied = { rows: [1, 2], steps: ["1 first", "2 second"] }

it.live("applies what is missing, in order", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    yield* migrateAs(url, [first])
    yield* migrateAs(url, [first, second])
    yield* migrateAs(url, [first, second])
    assert.deepEqual(yield* state(url), bothApplied)
  })
)

it.live("eight processes at once apply each step once", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    yield* Effect.all(
      Array.from({ length: 8 }, () => migrateAs(url, [first, second])),
      { concurrency: "unbounded" }
    )
    assert.deepEqual(yield* state(url), bothApplied)
  })
)

const refusals: ReadonlyArray<readonly [string, ReadonlyArray<Migration>, string]> = [
  [
    "a database of a newer version",
    [first],
    "The database was migrated by a newer version of Chronoforge (migration 2, second): start that version"
  ],
  [
    "an edited step",
    [first, { ...second, sql: "insert into a values (22)" }],
    "Migration 2 (second) is not the one that the database was made with (second): restore the file"
  ]
]

for (const [what, migrations, message] of refusals) {
  it.live(`refuses ${what}`, () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase("template0")
      yield* migrateAs(url, [first, second])
      assert.strictEqual((yield* Effect.flip(migrateAs(url, migrations))).message, message)
    })
  )
}

it.live("a checkout with other line ends is the same step", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    yield* migrateAs(url, [first])
    yield* migrateAs(url, [{ ...first, sql: first.sql.replaceAll("\n", "\r\n") }])
  })
)

it.live("a step that fails leaves nothing of itself", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    const error = yield* Effect.flip(migrateAs(url, [first, broken]))
    assert.strictEqual(error.message, `Migration 2 (broken) failed: column "nonsense" does not exist`)
    yield* migrateAs(url, [first, second])
    assert.deepEqual(yield* state(url), bothApplied)
  })
)

it.live("the released steps build a database", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase("template0")
    yield* migrateAs(url)
    const rows = yield* Sql.use(({ client }) =>
      query(() => client`select number, name from chronoforge.migrations order by number`)
    ).pipe(Effect.provide(process(url)))
    const expected = (yield* loadMigrations).map(({ number, name }) => ({ number, name }))
    assert.deepEqual([...rows], expected)
  })
)

it.live("repositories of an installation that is older than the notes on what is due in them are noted once", () =>
  Effect.gen(function* () {
    const released = yield* loadMigrations
    const noted = (url: string) =>
      Sql.use(({ client }) =>
        query(
          () => client<Array<{ project_id: number; task: string }>>`
            select project_id, task from chronoforge.repository_tasks where due_at <= now() order by project_id, task`
        )
      ).pipe(
        Effect.map((rows) => rows.map(({ project_id, task }) => `${project_id} ${task}`)),
        Effect.provide(process(url))
      )
    const [older, fresh] = [yield* freshDatabase("template0"), yield* freshDatabase("template0")]
    yield* migrateAs(older, released.slice(0, 4))
    const take = Sql.use(({ client }) =>
      query(() => client`select nextval('chronoforge.project_ids') from generate_series(1, 2)`)
    )
    yield* Effect.provide(take, process(older))
    yield* migrateAs(older)
    yield* migrateAs(fresh)
    assert.deepEqual([yield* noted(older), yield* noted(fresh)], [["1 maintain", "1 record", "2 maintain", "2 record"], []])
  })
)
