import { randomUUID } from "node:crypto"
import { Effect, Layer, type Scope } from "effect"
import { inject } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { type serviceTemplateName, templateName, withDatabase } from "./databaseNames.ts"

/** Rows of a statement, as lists of values, on a connection of its own. */
export const ask = (url: string, statement: string): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>> =>
  Effect.acquireUseRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge tests" })),
    (client) => query(async () => [...(await client.unsafe(statement).values())]),
    (client) => Effect.promise(() => client.end())
  )

/** URL of a new database on the server of this run, dropped when the scope closes. `template0` gives an empty one. */
export const freshDatabase = (
  template: typeof templateName | typeof serviceTemplateName | "template0" = templateName
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.suspend(() => {
    const server = inject("serverUrl")
    const name = `test_${randomUUID().replaceAll("-", "")}`
    return Effect.acquireRelease(
      Effect.as(ask(server, `create database ${name} template ${template}`), withDatabase(server, name)),
      () => ask(server, `drop database ${name} with (force)`)
    )
  })

/** A migrated database of its own for each build of this layer: `Layer.fresh` where one file needs several. */
export const databaseLayer: Layer.Layer<Sql> = Layer.effect(
  Sql,
  Effect.flatMap(freshDatabase(), (url) => Effect.orDie(connect(url, 10)))
)
