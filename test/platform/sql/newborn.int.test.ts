import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { freshDatabase } from "#test/support/database.ts"

const killOthers =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"

/** Statements that begin on connections which are cut as soon as the server knows of them. */
const cutWhileOpening = (url: string, rounds: number) =>
  Effect.promise(async () => {
    const killer = makeClient(url, { connections: 1, name: "killer" })
    const client = makeClient(url, { connections: 2, name: "newborn" })
    await client.unsafe("select 1")
    const outcomes = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      const work = [client.unsafe("select 1"), client.reserve().then((reserved) => reserved.release())]
      const settled = Promise.allSettled(work)
      let isOver = false
      settled.then(() => {
        isOver = true
      })
      while (!isOver) await killer.unsafe(killOthers)
      for (const { status } of await settled) outcomes.add(status)
    }
    await Promise.all([killer.end({ timeout: 1 }), client.end({ timeout: 1 })])
    return outcomes
  })

describe("connections that are cut while they open", () => {
  it("fail what waits for them, and nothing else", async () => {
    const outcomes = await Effect.runPromise(Effect.scoped(Effect.flatMap(freshDatabase(), (url) => cutWhileOpening(url, 200))))
    expect([...outcomes].every((status) => ["fulfilled", "rejected"].includes(status))).toBe(true)
  })
})
