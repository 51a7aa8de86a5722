import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { checkMigrations } from "#src/cli/checks/database.ts"
import { checkReadModels } from "#src/cli/checks/readModels.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const layer = Layer.fresh(Layer.merge(databaseLayer, layerMemory))

it.live("doctor tells a migration that is not the one that was applied, as a start would", () =>
  Effect.gen(function* () {
    expect((yield* checkMigrations).finding.status).toBe("ok")
    yield* Sql.use(({ client }) => query(() => client`update chronoforge.migrations set checksum = 'other' where number = 3`))
    expect(yield* checkMigrations).toEqual({
      complete: false,
      finding: {
        name: "migrations",
        status: "fail",
        detail: "migration 3 (project_ids) is not the one that the database was made with",
        remedy: "restore its file, or start the version that made the database"
      }
    })
  }).pipe(Effect.provide(layer))
)

it.live("doctor tells whether older or newer code made a read model", () =>
  Effect.gen(function* () {
    yield* Sql.use(({ client }) =>
      query(
        () => client`
          insert into chronoforge.read_models (name, generation, version, position)
          values ('users', 'live', 2, 0), ('keys', 'live', 2, 0)`
      )
    )
    const findings = yield* checkReadModels([
      { name: "users", version: 3 },
      { name: "keys", version: 1 }
    ])
    expect(findings.map(({ detail, remedy, status }) => [status, detail, remedy])).toEqual([
      ["warn", "made by version 2, this code has version 3", "the next start of the service fills it anew"],
      ["fail", "made by version 2, which is newer than this code's, 1", "start the version that made it"]
    ])
  }).pipe(Effect.provide(layer))
)

it.effect("doctor tells that a read model stands still, however few events it lacks", () =>
  Effect.gen(function* () {
    const known = [{ name: "users", version: 1 }]
    const { append } = yield* EventStore
    const written = [
      {
        type: "Any",
        schemaVersion: 1,
        data: {},
        id: uuidV7(),
        metadata: { actor: "system:test", commandId: uuidV7(), correlationId: "test" }
      }
    ]
    yield* append("any-1", "noStream", written)
    yield* Sql.use(({ client }) =>
      query(
        () => client`insert into chronoforge.read_models (name, generation, version, position) values ('users', 'live', 1, 0)`
      )
    )
    yield* TestClock.adjust("60 seconds")
    expect(yield* checkReadModels(known)).toEqual([{ name: "read model users", status: "ok", detail: "lags by 1" }])
    yield* TestClock.adjust("2 seconds")
    expect(yield* checkReadModels(known)).toEqual([
      {
        name: "read model users",
        status: "warn",
        detail: "lags by 1, for 62 seconds",
        remedy: "start the service, or see its log"
      }
    ])
  }).pipe(Effect.provide(layer))
)
