import { Effect, Schedule } from "effect"
import { StartError } from "#src/kernel/StartError.ts"
import type { Position } from "#src/platform/eventStore/EventStore.ts"
import { dismissFrozenHolders } from "#src/platform/sql/advisoryLocks.ts"
import { type Client, query, type Statements, transact } from "#src/platform/sql/Sql.ts"
import type { ReadModel } from "./ReadModel.ts"
import { type Generation, schemaOf } from "./writeChanges.ts"

const runIn = async (tx: Statements, schema: string, statements: string): Promise<void> => {
  await tx.unsafe(`set local search_path = ${schema}; ${statements}`)
  await tx.unsafe("set local search_path to default")
}

/** Makes the indexes of a generation that only reads need, unless they are there. */
export const createIndexes = (tx: Statements, { indexes, name }: ReadModel, generation: Generation): Promise<void> =>
  indexes === undefined ? Promise.resolve() : runIn(tx, schemaOf(name, generation), indexes)

/** Makes empty tables of a generation, in place of any that are there, without `createIndexes`. */
export const createGeneration = async (tx: Statements, readModel: ReadModel, generation: Generation): Promise<void> => {
  const schema = schemaOf(readModel.name, generation)
  await tx.unsafe(`drop schema if exists ${schema} cascade; create schema ${schema}`)
  await runIn(tx, schema, readModel.ddl)
  await tx`
    insert into chronoforge.read_models (name, generation, version, position) values (${readModel.name}, ${generation}, ${readModel.version}, 0)
    on conflict (name, generation) do update set version = excluded.version, position = 0`
  await tx`delete from chronoforge.parked_streams where read_model = ${readModel.name} and generation = ${generation}`
}

/** The position of a generation; undefined when it is absent or was made by another version of the code. */
export const positionOf = async (
  sql: Statements,
  readModel: ReadModel,
  generation: Generation
): Promise<Position | undefined> => {
  const [row] = await sql<Array<{ position: number }>>`
    select position from chronoforge.read_models
    where name = ${readModel.name} and generation = ${generation} and version = ${readModel.version}`
  return row?.position
}

const storedVersions = (client: Client, readModels: ReadonlyArray<ReadModel>) =>
  query(async () => {
    const rows = await client<Array<{ name: string; version: number }>>`
      select name, version from chronoforge.read_models where generation = 'live'`
    const known = new Map(rows.map((row) => [row.name, row.version]))
    return readModels.map((readModel) => ({ readModel, stored: known.get(readModel.name) }))
  })

/**
 * The result is false while another process projects: it must not lose the tables that it writes. An empty database has no such
 * process.
 */
const mayCreateTables = async (tx: Statements): Promise<boolean> => {
  const [row] = await tx<Array<{ free: boolean }>>`
    select not exists (select from chronoforge.read_models where generation = 'live')
      or pg_try_advisory_xact_lock(hashtext('chronoforge.projector')) as free`
  return row?.free === true
}

/** One that stands still, or whose machine does, keeps nobody waiting. */
const dismissFrozenProjector = (client: Client) =>
  query(() => client.unsafe(dismissFrozenHolders("hashtext(name)"), [["chronoforge.projector"]]))

/** Makes the tables that this version has not made yet; the result is false while that has to wait. */
const createMissingTables = (client: Client, readModels: ReadonlyArray<ReadModel>) =>
  query(() =>
    transact(client, async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('chronoforge.prepare'))`
      const missing: Array<ReadModel> = []
      for (const readModel of readModels) {
        if ((await positionOf(tx, readModel, "live")) === undefined) missing.push(readModel)
      }
      if (missing.length > 0 && !(await mayCreateTables(tx))) return false
      for (const readModel of missing) {
        await createGeneration(tx, readModel, "live")
        await createIndexes(tx, readModel, "live")
      }
      return true
    })
  )

/**
 * Makes the tables of read models that are new or were made by an older version, once no older process projects; the projector
 * then fills them from the start of the log. One process at a time. Refuses tables of a newer version, and unless
 * `mayReplace`, as for commands beside a service, those of an older one.
 */
export const prepareReadModels = (
  client: Client,
  readModels: ReadonlyArray<ReadModel>,
  mayReplace = true
): Effect.Effect<void, StartError> =>
  Effect.gen(function* () {
    const models = yield* storedVersions(client, readModels)
    const newer = models.find(({ readModel, stored }) => stored !== undefined && stored > readModel.version)
    if (newer !== undefined)
      return yield* new StartError({ message: "The database was used by a newer version of Chronoforge: start that version" })
    const isUsed = models.some(({ stored }) => stored !== undefined)
    if (!mayReplace && isUsed && models.some(({ readModel, stored }) => stored !== readModel.version)) {
      return yield* new StartError({
        message: "The database was used by an older version of Chronoforge: start the service first"
      })
    }
    const waiting = Effect.logInfo("Waiting for the process that projects with an older version to stop")
    const attempts = Effect.tap(createMissingTables(client, readModels), (made) =>
      made ? Effect.void : Effect.andThen(waiting, dismissFrozenProjector(client))
    )
    yield* Effect.repeat(attempts, { until: (made) => made, schedule: Schedule.spaced("1 second") })
  })

/**
 * Puts the next generation in the place of the live one. Renaming schemas locks no table: requests that run go on with the
 * old tables, later ones find the new. The caller's transaction holds both checkpoints at one position.
 */
export const swapGenerations = async (tx: Statements, readModel: ReadModel): Promise<void> => {
  const { name } = readModel
  const [live, next] = [schemaOf(name, "live"), schemaOf(name, "next")]
  await tx.unsafe(`alter schema ${live} rename to ${live}_old; alter schema ${next} rename to ${live}`)
  await tx`delete from chronoforge.parked_streams where read_model = ${name} and generation = 'live'`
  await tx`update chronoforge.parked_streams set generation = 'live' where read_model = ${name} and generation = 'next'`
  await tx`delete from chronoforge.read_models where name = ${name} and generation = 'next'`
}

/** Sooner than the server looks for deadlocks: a request that still reads the old tables is never the one that gives way. */
const dropPatience = "500ms"

/** Removes what a swap left behind. It gives way to requests that still read it, and is to be tried again then. */
export const dropOldGeneration = (client: Client, readModel: ReadModel) =>
  transact(client, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${dropPatience}'`)
    await tx.unsafe(`drop schema if exists ${schemaOf(readModel.name, "live")}_old cascade`)
  })
