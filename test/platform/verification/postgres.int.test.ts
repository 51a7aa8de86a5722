import { stat } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, type Scope } from "effect"
import { AppConfig } from "#src/config.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { readCheckpoints } from "#src/platform/verification/checkpoints.ts"
import { readSealFile, writeSealFile } from "#src/platform/verification/sealFile.ts"
import { sealLog, sealRegularly } from "#src/platform/verification/sealLog.ts"
import { readSeals, writeSeal } from "#src/platform/verification/sealTable.ts"
import { type Expectations, verifyLog } from "#src/platform/verification/verifyLog.ts"
import { databaseLayer } from "#test/support/database.ts"
import { recordStatements } from "#test/support/recordStatements.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { appendOneMore, appendSamples } from "./sampleLog.ts"

const folder = temporaryFolder()

const config = Layer.unwrap(
  Effect.sync(() => Layer.provide(AppConfig.layer, ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder() } }))))
)

/** A log of its own for each test. */
const withLog = <A, E>(test: Effect.Effect<A, E, EventStore | Sql | AppConfig | Scope.Scope>) =>
  test.pipe(
    Effect.provide(layerPostgres.pipe(Layer.provideMerge(databaseLayer), Layer.fresh, Layer.provideMerge(config))),
    Effect.scoped
  )

const tamper = (statement: string) => Sql.use(({ client }) => query(() => client.unsafe(statement)))

/** `kind stream revision position` of each fault. */
const faults = (more: Partial<Expectations> = {}) =>
  Effect.gen(function* () {
    const expectations = { serialized: true, seals: yield* readSeals, checkpoints: yield* readCheckpoints, ...more }
    const found = yield* verifyLog(expectations)
    return found.faults.map(({ kind, position, revision, stream }) => [kind, stream, revision, position])
  })

/** Positions: a 1 4 7 10, b 2 5 8 11, c 3 6 9 12. */
const tampering: Readonly<Record<string, { readonly statement: string; readonly faults: ReadonlyArray<unknown> }>> = {
  nothing: { statement: "select 1", faults: [] },
  data: {
    statement: `update chronoforge.events set data = '{"name":"forged"}' where position = 5`,
    faults: [["link", "b", 1, 5]]
  },
  metadata: {
    statement: "update chronoforge.events set metadata = replace(metadata, 'user:1', 'user:2') where position = 5",
    faults: [["link", "b", 1, 5]]
  },
  "white space in data": {
    statement: "update chronoforge.events set data = data || ' ' where position = 5",
    faults: [["link", "b", 1, 5]]
  },
  "white space in metadata": {
    statement: "update chronoforge.events set metadata = replace(metadata, ':', ': ') where position = 5",
    faults: [["link", "b", 1, 5]]
  },
  "a lowered head": {
    statement: "update chronoforge.log_head set position = 7",
    faults: [["head", null, null, 7]]
  },
  "a raised head": {
    statement: "update chronoforge.log_head set position = 20",
    faults: [["end", null, null, 12]]
  },
  hash: {
    statement: "update chronoforge.events set hash = sha256(hash) where position = 5",
    faults: [["link", "b", 1, 5]]
  },
  time: {
    statement: "update chronoforge.events set at = at - 60000 where position = 5",
    faults: [
      ["link", "b", 1, 5],
      ["time", "b", 1, 5]
    ]
  },
  "data, with a new hash of its own": {
    statement: `update chronoforge.events e set data = '{}', hash = sha256(p.hash || int8send(e.revision) || int8send(e.at) ||
        sha256(convert_to('["b","' || e.id || '","Renamed",1]' || chr(10) || '{}' || chr(10) || e.metadata, 'UTF8')))
      from chronoforge.events p where p.position = 2 and e.position = 5`,
    faults: [["link", "b", 2, 8]]
  },
  "the last event removed": {
    statement: "delete from chronoforge.events where position = 12",
    faults: [["end", null, null, 11]]
  },
  "the last event and the head": {
    statement: "delete from chronoforge.events where position = 12; update chronoforge.log_head set position = 11",
    faults: []
  },
  "an event in the middle removed": {
    statement: "delete from chronoforge.events where position = 5",
    faults: [
      ["link", "b", 2, 8],
      ["position", "c", 1, 6]
    ]
  },
  "two events swapped": {
    statement: `update chronoforge.events set revision = revision + 100 where position in (2, 5);
      update chronoforge.events set revision = case position when 2 then 1 else 0 end where position in (2, 5)`,
    faults: [["link", "b", 1, 2]]
  }
}

describe("one tampered row in Postgres is found and named", () => {
  for (const [name, { faults: expected, statement }] of Object.entries(tampering)) {
    it.effect(name, () =>
      withLog(
        Effect.gen(function* () {
          yield* appendSamples
          yield* tamper(statement)
          assert.deepStrictEqual(yield* faults(), expected)
        })
      )
    )
  }
})

describe("what the chains cannot tell", () => {
  it.effect("a cut end, told by a read model", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        yield* tamper("insert into chronoforge.read_models values ('users', 'live', 1, 12)")
        assert.deepStrictEqual(yield* faults(), [])
        yield* tamper("delete from chronoforge.events where position = 12; update chronoforge.log_head set position = 11")
        assert.deepStrictEqual(yield* faults(), [["checkpoint", null, null, 11]])
      })
    )
  )

  it.effect("another order, told by a seal", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        yield* sealLog
        assert.deepStrictEqual(yield* faults(), [])
        yield* tamper(
          "update chronoforge.events set position = 99 where position = 5; update chronoforge.events set position = 5 where position = 6; update chronoforge.events set position = 6 where position = 99"
        )
        // Where the two were recorded in different milliseconds, their times tell as well.
        const told = (yield* faults()).filter(([kind]) => kind !== "time")
        assert.deepStrictEqual(told, [["seal", null, null, 12]])
      })
    )
  )
})

describe("seals", () => {
  it.effect("continue each other, and are made only when there is something new", () =>
    withLog(
      Effect.gen(function* () {
        assert.strictEqual(yield* sealLog, undefined)
        yield* appendSamples
        const first = yield* sealLog
        assert.strictEqual(yield* sealLog, undefined)
        yield* appendOneMore
        const second = yield* sealLog
        assert.deepStrictEqual([first?.position, second?.position], [12, 13])
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* readSeals, [first, second])
        assert.deepStrictEqual(yield* faults(), [])
        const { mode } = yield* Effect.promise(() => stat(join(folder(), "seal-key")))
        assert.strictEqual(mode & 0o777, 0o600)
      })
    )
  )

  it.effect("are read one at a time to make the next one", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        yield* sealLog
        yield* appendOneMore
        const { client, ...rest } = yield* Sql
        const statements: Array<string> = []
        yield* sealLog.pipe(Effect.provideService(Sql, { ...rest, client: recordStatements(client, statements) }))
        const reads = statements.filter((text) => text.includes("from chronoforge.seals"))
        assert.deepStrictEqual([reads.length, reads.every((text) => text.includes("limit 1"))], [1, true])
      })
    )
  )

  it.effect("of a cut log are missed by the table, and told by the exported file", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        yield* sealLog
        const file = join(folder(), "seals.jsonl")
        yield* writeSealFile(file, yield* readSeals)
        const exported = yield* readSealFile(file)
        assert.deepStrictEqual(yield* faults({ exported }), [])
        yield* tamper(
          "delete from chronoforge.events where position > 6; update chronoforge.log_head set position = 6; truncate chronoforge.seals"
        )
        assert.deepStrictEqual(yield* faults(), [])
        assert.deepStrictEqual(yield* faults({ exported }), [
          ["seal", null, null, 12],
          ["seal", null, null, 12]
        ])
        assert.deepStrictEqual(yield* faults({ sealKey: "0123456789abcdef" }), [["seal", null, null, 0]])
      })
    )
  )

  it.effect("cannot be written twice over the same predecessor", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        const seal = yield* sealLog
        const again = seal === undefined ? undefined : yield* Effect.flip(writeSeal({ ...seal, position: 13 }, 0))
        assert.strictEqual(again?._tag, "SealOvertaken")
      })
    )
  )

  it.effect("are made when the service stops, by the leader alone", () =>
    withLog(
      Effect.gen(function* () {
        yield* appendSamples
        const stopAs = (leader: boolean) => {
          const projections = Layer.mock(Projections)({ names: [], status: Effect.succeed({ leader, head: 12, readModels: [] }) })
          return Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(sealRegularly, { startImmediately: true })
            yield* Fiber.interrupt(fiber)
            return (yield* readSeals).map(({ position }) => position)
          }).pipe(Effect.provide(projections))
        }
        assert.deepStrictEqual(yield* stopAs(false), [])
        assert.deepStrictEqual(yield* stopAs(true), [12])
      })
    )
  )
})
