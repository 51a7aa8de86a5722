import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { makeWritability } from "#src/http/operations/writability.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"

/** The URL of a server that takes connections and says nothing. */
const silentServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket))
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { server, sockets }
  }),
  ({ server, sockets }) =>
    Effect.sync(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
).pipe(Effect.map(({ server }) => `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/none`))

it.live("health beside a database that hangs answers before a probe gives up, with what was found last", () =>
  Effect.gen(function* () {
    const url = yield* silentServer
    const client = makeClient(url, { connections: 1, name: "test" })
    const sql = { client, lookups: client, tokenLookups: client, onTokenConnectionClosed: () => {}, url }
    const writability = yield* makeWritability.pipe(Effect.provide(Layer.merge(layerMemory, Layer.succeed(Sql)(sql))))
    const start = performance.now()
    expect(yield* writability).toEqual({ status: "ok", writes: "ok" })
    expect(performance.now() - start).toBeLessThan(1_500)
    const failing = yield* Effect.repeat(writability, { until: ({ writes }) => writes === "failing" })
    expect(failing).toEqual({ status: "degraded", writes: "failing", reason: "no answer in time" })
    yield* Effect.promise(() => client.end({ timeout: 0 }))
  }).pipe(Effect.scoped)
)
