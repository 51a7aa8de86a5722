import { afterAll, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { expect } from "vitest"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { eventStoreContract } from "#test/contracts/eventStoreContract.ts"
import { ask, freshDatabase } from "#test/support/database.ts"

const scope = Scope.makeUnsafe()
const url = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const newProcess = () => Layer.provide(layerPostgres, Layer.effect(Sql, Effect.orDie(connect(url, 4))))

const dropConnections = ask(
  url,
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
)

eventStoreContract("event store in Postgres", newProcess(), {
  otherProcess: newProcess(),
  dropConnections: Effect.asVoid(dropConnections)
})

it.effect("the append of processes that were started before it answered hashes goes on", () =>
  Effect.gen(function* () {
    const append = (expected: number, digit: number) =>
      ask(
        url,
        `select outcome, revision from chronoforge.append(0, array['older'], array[${expected}]::bigint[], array[1],
          array['00000000-0000-4000-8000-00000000000${digit}']::uuid[], array['Tested'], array[1], array['{}'], array['{}'], sha256('x'))`
      )
    expect(yield* append(-1, 1)).toEqual([["appended", 0]])
    expect(yield* append(-1, 2)).toEqual([["refused", 0]])
    expect(yield* append(0, 2)).toEqual([["appended", 1]])
    expect(yield* append(-1, 1)).toEqual([["repeated", 0]])
  })
)
