import { Effect, type Scope } from "effect"
import { inject } from "vitest"
import { prepareReadModels } from "#projections/generations.ts"
import { readModels } from "#projections/readModels.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { query } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "./database.ts"
import { serviceTemplateName, templateName, withDatabase } from "./databaseNames.ts"

const clientOf = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge tests" })),
    (client) => Effect.promise(() => client.end())
  )

/** Makes the template unless this run has it. Workers that want it at the same time wait for the first one. */
const makeTemplate = Effect.gen(function* () {
  const server = inject("serverUrl")
  const client = yield* clientOf(server)
  yield* query(() => client`select pg_advisory_lock(hashtext(${serviceTemplateName}))`)
  const [known] = yield* query(() => client`select 1 from pg_database where datname = ${serviceTemplateName}`)
  if (known !== undefined) return
  // Under its name it is complete.
  const unfinished = `${serviceTemplateName}_unfinished`
  yield* query(() => client.unsafe(`drop database if exists ${unfinished}`))
  yield* query(() => client.unsafe(`create database ${unfinished} template ${templateName}`))
  const filling = Effect.flatMap(clientOf(withDatabase(server, unfinished)), (it) => prepareReadModels(it, readModels))
  yield* Effect.orDie(Effect.scoped(filling))
  yield* query(() => client.unsafe(`alter database ${unfinished} rename to ${serviceTemplateName}`))
}).pipe(Effect.scoped)

const template = Effect.runSync(Effect.cached(makeTemplate))

/** URL of a new database as the first start of the service leaves it: all tables, no rows. Dropped when the scope closes. */
export const serviceDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.andThen(
  template,
  freshDatabase(serviceTemplateName)
)
