import { Effect } from "effect"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { until } from "../until.ts"

/** Lets a reactor react for as long as an effect takes, from before it begins: its first run begins at the end of the log. */
export const whileReacting = <R, S>(
  name: string,
  reactor: Effect.Effect<unknown, never, R>,
  work: Effect.Effect<unknown, never, S>
) =>
  Effect.gen(function* () {
    const { client } = yield* Sql
    const fiber = yield* Effect.forkChild(reactor)
    const rows = query(() => client`select from chronoforge.reactions where name = ${name}`)
    yield* Effect.promise(() => until(async () => (await Effect.runPromise(rows)).length > 0))
    yield* work
    fiber.interruptUnsafe()
  })
