import { it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { describe, expect } from "vitest"
import { prepareReadModels } from "#projections/generations.ts"
import type { ReadModel } from "#projections/ReadModel.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"
import { notesReadModel } from "./sample.ts"

const version = (number: number): ReadModel => ({ ...notesReadModel, version: number })
const prepare = (readModel: ReadModel, mayReplace = true) =>
  Sql.use(({ client }) => prepareReadModels(client, [readModel], mayReplace))
const stored = Sql.use(({ client }) =>
  query(async () => [...(await client`select version from chronoforge.read_models where generation = 'live'`.values())].flat())
)

/** Until somebody was told that the lock is taken: an advisory lock leaves no other trace. */
const asked = Sql.use(({ client }) =>
  query(
    async () =>
      (await client`select 1 from pg_stat_activity where query like '%pg_try_advisory_xact_lock%' and pid <> pg_backend_pid()`)
        .length
  )
).pipe(Effect.repeat({ until: (found) => found > 0 }))

describe("tables of another version", () => {
  it.live("are made by a command too while there are none", () =>
    Effect.gen(function* () {
      yield* prepare(version(2), false)
      expect(yield* stored).toEqual([2])
    }).pipe(Effect.provide(Layer.fresh(databaseLayer)))
  )

  it.live("are left alone by commands, and by an older version whatever it is", () =>
    Effect.gen(function* () {
      yield* prepare(version(2))
      expect((yield* Effect.flip(prepare(version(3), false))).message).toBe(
        "The database was used by an older version of Chronoforge: start the service first"
      )
      const newer = "The database was used by a newer version of Chronoforge: start that version"
      expect((yield* Effect.flip(prepare(version(1)))).message).toBe(newer)
      expect((yield* Effect.flip(prepare(version(1), false))).message).toBe(newer)
      expect(yield* stored).toEqual([2])
    }).pipe(Effect.provide(Layer.fresh(databaseLayer)))
  )

  it.live("are replaced although the process that projects stands still", () =>
    Effect.gen(function* () {
      yield* prepare(version(1))
      const { client } = yield* Sql
      // It sends nothing from here on, as if it were stopped, and loses its connection for that.
      const projector = yield* query(() => client.reserve())
      yield* query(() => projector`select pg_advisory_lock(hashtext('chronoforge.projector'))`)
      yield* prepare(version(2))
      expect(yield* stored).toEqual([2])
    }).pipe(Effect.provide(Layer.fresh(databaseLayer)))
  )

  it.live("are replaced only when no process projects any more", () =>
    Effect.gen(function* () {
      yield* prepare(version(1))
      const { client } = yield* Sql
      const projector = yield* Effect.acquireRelease(
        query(() => client.reserve()),
        (it) => Effect.sync(() => it.release())
      )
      yield* query(() => projector`select pg_advisory_lock(hashtext('chronoforge.projector'))`)
      const waiting = yield* Effect.forkChild(prepare(version(2)))
      yield* asked
      expect(yield* stored).toEqual([1])
      yield* query(() => projector`select pg_advisory_unlock(hashtext('chronoforge.projector'))`)
      yield* Fiber.join(waiting)
      expect(yield* stored).toEqual([2])
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(databaseLayer)))
  )
})
