import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, References } from "effect"
import type { TestProject } from "vitest/node"
import { connect } from "#src/platform/sql/connect.ts"
import { embeddedPostgres } from "#src/platform/sql/embedded/embedded.ts"
import { migrate } from "#src/platform/sql/migrate.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { templateName, withDatabase } from "../databaseNames.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run, database `postgres`, as its administrator. */
    readonly serverUrl: string
  }
}

/** Nothing of a test run has to survive a power cut. */
const overrides = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" }

const server = (dataDir: string): Layer.Layer<Sql, unknown> =>
  Layer.effect(
    Sql,
    Effect.flatMap(embeddedPostgres({ dataDir, mode: "own", overrides }), ({ url }) => connect(url, 1))
  )

const makeTemplate = Effect.gen(function* () {
  const { client, url } = yield* Sql
  yield* query(() => client.unsafe(`create database ${templateName}`))
  const template = Layer.effect(Sql, connect(withDatabase(url, templateName), 1))
  yield* Effect.provide(migrate(), template)
  return url
}).pipe(Effect.provideService(References.MinimumLogLevel, "Warn"))

/** Starts one server for all tests of a run, in a temporary folder, and stops it at the end. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), "chronoforge-test-"))
  const runtime = ManagedRuntime.make(server(folder))
  const stop = async () => {
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    project.provide("serverUrl", await runtime.runPromise(makeTemplate))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
