import { afterAll } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
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
