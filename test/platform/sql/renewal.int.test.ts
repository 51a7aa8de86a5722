import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import postgres from "postgres"
import { afterEach, beforeEach, vi } from "vitest"
import { reconnecting } from "#src/platform/sql/reconnecting.ts"
import { freshDatabase } from "#test/support/database.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const room = 32
const seconds = (count: number) => vi.advanceTimersByTime(count * 1000)
const types = { bigint: { to: 20, from: [20], parse: Number, serialize: String } }
/** Nobody listens there. */
const nowhere = "postgres://127.0.0.1:1/nowhere"

/** A client, the connections that it has opened, and a way to let it find no server. */
const clientOn = (url: string) => {
  const opened: Array<string> = []
  const servers = { next: url }
  const client = reconnecting(() => {
    opened.push(servers.next)
    return postgres(servers.next, { max: 1, fetch_types: false, types })
  })
  const backend = async (text: number): Promise<number | undefined> => {
    const [row] = await client.variant<{ pid: number }>(`select pg_backend_pid() as pid, ${text} as text`, [], true)
    return row?.pid
  }
  return { client, opened, servers, backend }
}

it.live("replaces a connection that has no room for texts, every ten seconds at the most", () =>
  Effect.gen(function* () {
    const { backend, client, opened, servers } = clientOn(yield* freshDatabase())
    const url = servers.next
    const ask = (text: number) => Effect.promise(() => backend(text))
    const first = yield* ask(0)
    for (let text = 1; text < room; text++) assert.strictEqual(yield* ask(text), first)
    assert.strictEqual(yield* ask(room), first)
    assert.deepStrictEqual(opened, [url])
    servers.next = nowhere
    seconds(11)
    // The attempt fails; those that come meanwhile and after it do not try it again.
    for (let text = room; text < room + 50; text++) assert.strictEqual(yield* ask(text), first)
    assert.deepStrictEqual(opened, [url, nowhere])
    servers.next = url
    seconds(11)
    yield* Effect.promise(() => vi.waitFor(async () => assert.notStrictEqual(await backend(room), first), { timeout: 60_000 }))
    assert.deepStrictEqual(opened, [url, nowhere, url])
    yield* Effect.promise(() => client.end({ timeout: 5 }))
  })
)
