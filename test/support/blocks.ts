import { Context, Effect, Layer } from "effect"
import { prepareReadModels } from "#projections/generations.ts"
import { readModels } from "#projections/readModels.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"

/** A statement with its values. */
export type Sent = readonly [text: string, values: ReadonlyArray<unknown>]

/** A client that notes what is sent through it. */
const noting = (client: Client, sent: Array<Sent>): Client =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === "variant")
        return (...args: Parameters<Client["variant"]>) => {
          sent.push([args[0], args[1]])
          return target.variant(...args)
        }
      if (name !== "unsafe") return Reflect.get(target, name)
      return (...args: Parameters<Client["unsafe"]>) => {
        sent.push([args[0], args[1] ?? []])
        return target.unsafe(...args)
      }
    }
  })

/** What may be asked of read models that are filled by these statements, and what is sent when it is. */
export const asking = Effect.fnUntraced(function* <Id, Queries>(
  key: Context.Key<Id, Queries>,
  questions: Layer.Layer<Id, never, Sql>,
  population: ReadonlyArray<string>
) {
  const sql = yield* Sql
  yield* Effect.orDie(prepareReadModels(sql.client, readModels))
  for (const statement of population) yield* query(() => sql.client.unsafe(statement))
  const sent: Array<Sent> = []
  const noted = { ...sql, client: noting(sql.client, sent), lookups: noting(sql.lookups, sent) }
  const layer = Layer.provide(questions, Layer.succeed(Sql)(noted))
  return { queries: Context.get(yield* Layer.build(layer), key), sent }
})

const literal = (value: unknown): string =>
  typeof value === "string" ? `'${value}'` : Array.isArray(value) ? `'{${value.join(",")}}'` : String(value)

/** The number of blocks that a statement reads, by the plan that the service gets. */
export const blocksOf = Effect.fnUntraced(function* ([text, values]: Sent) {
  const { client } = yield* Sql
  const reserved = yield* Effect.acquireRelease(
    Effect.promise(() => client.reserve()),
    (connection) => Effect.sync(() => connection.release())
  )
  return yield* query(async () => {
    await reserved.unsafe(`prepare list as ${text}`)
    const execution = `execute list${values.length > 0 ? `(${values.map(literal).join(",")})` : ""}`
    const [row] = await reserved.unsafe<Array<{ "QUERY PLAN": ReadonlyArray<{ Plan: Record<string, number> }> }>>(
      `explain (analyze, buffers, format json) ${execution}`
    )
    await reserved.unsafe("deallocate list")
    const plan = row?.["QUERY PLAN"][0]?.Plan ?? {}
    return (plan["Shared Hit Blocks"] ?? Number.NaN) + (plan["Shared Read Blocks"] ?? Number.NaN)
  })
}, Effect.scoped)
