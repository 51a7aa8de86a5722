import { once } from "node:events"
import { readdir, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { makeWritability } from "#src/http/operations/writability.ts"
import { makeDataDirTrial } from "#src/platform/dataDir.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

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

const folder = temporaryFolder()

it.effect.each([
  { title: "that is there", name: ".", code: undefined },
  { title: "that is gone", name: "gone", code: "ENOENT" },
  { title: "that is a file", name: "file", code: "ENOTDIR" }
])("DATA_DIR $title is tried with a file, which does not stay", ({ code, name }) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => writeFile(join(folder(), "file"), ""))
    const outcome = yield* Effect.result(makeDataDirTrial(join(folder(), name)))
    expect(outcome._tag === "Failure" ? outcome.failure.code : undefined).toBe(code)
    expect(yield* Effect.promise(() => readdir(folder()))).toEqual(["file"])
  })
)

it.live("health beside a database that hangs answers before a probe gives up, with what was found last", () =>
  Effect.gen(function* () {
    const url = yield* silentServer
    const client = makeClient(url, { connections: 1, name: "test" })
    const sql = { client, lookups: client, tokenLookups: client, onTokenConnectionClosed: () => {}, url }
    const writability = yield* makeWritability(tmpdir()).pipe(Effect.provide(Layer.merge(layerMemory, Layer.succeed(Sql)(sql))))
    const start = performance.now()
    expect(yield* writability).toEqual({ status: "ok", writes: "ok" })
    expect(performance.now() - start).toBeLessThan(1_500)
    const failing = yield* Effect.repeat(writability, { until: ({ writes }) => writes === "failing" })
    expect(failing).toEqual({ status: "degraded", writes: "failing", reason: "no answer in time" })
    yield* Effect.promise(() => client.end({ timeout: 0 }))
  }).pipe(Effect.scoped)
)
