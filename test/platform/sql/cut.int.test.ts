import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { isConnectionLost } from "#src/platform/sql/connection.ts"
import { type Client, SqlError, transact } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"
import { until } from "#test/support/until.ts"

const cutOthers =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"

const text = 'a "quoted" \\ text, {with} all, and null'

/** A statement, and transactions of one statement and of several; each answers with what it was given. */
const pieces = (client: Client): ReadonlyArray<Promise<unknown>> => [
  client.unsafe("select 1 as one").then(([row]) => row?.one),
  transact(client, async (tx) => (await tx`select ${[text]}::text[] as texts`)[0]?.texts),
  transact(client, async (tx) => {
    const found = await Promise.all([tx`select 1 as it`, tx.unsafe("select 2 as it"), tx`select ${3}::bigint as it`])
    return found.map(([row]) => row?.it)
  })
]
const whole = [1, [text], [1, 2, 3]]

const run = (use: (url: string) => Promise<void>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(freshDatabase(), (url) => Effect.promise(() => use(url)))))

describe.each([1, 2])("%i connections that are cut again and again", (connections) => {
  it("fail what was under way as lost, answer the rest rightly, and serve on", () =>
    run(async (url) => {
      const killer = makeClient(url, { connections: 1, name: "killer" })
      const client = makeClient(url, { connections, name: "victim" })
      await killer.unsafe("select 1")
      for (let round = 0; round < 200; round++) {
        const settled = Promise.allSettled(pieces(client))
        let isOver = false
        settled.then(() => {
          isOver = true
        })
        while (!isOver) await killer.unsafe(cutOthers)
        for (const [index, outcome] of (await settled).entries()) {
          if (outcome.status === "fulfilled") expect(outcome.value).toStrictEqual(whole[index])
          else expect(isConnectionLost(new SqlError({ cause: outcome.reason }))).toBe(true)
        }
      }
      await Promise.allSettled(pieces(client))
      expect(await Promise.all(pieces(client))).toStrictEqual(whole)
      // What waited when a connection ended makes the driver connect once more: nobody would use that.
      const count =
        "select count(*)::int as open from pg_stat_activity where application_name = 'victim' and datname = current_database()"
      await until(async () => (await killer.unsafe(count))[0]?.open <= connections)
      await Promise.all([killer.end({ timeout: 1 }), client.end({ timeout: 1 })])
    }))
})
