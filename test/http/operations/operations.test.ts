import { tmpdir } from "node:os"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { afterAll, describe } from "vitest"
import { operations } from "#src/http/operations/operations.ts"
import { defaultLimits, makeReadiness, standardChecks } from "#src/http/operations/readiness.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections, type ReadModelStatus } from "#src/platform/Projections.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { documentOf } from "../openapi/documentOf.ts"
import { sampleEndpoints } from "../openapi/sampleEndpoints.ts"
import { parsePrometheusText } from "./prometheusText.ts"

const address = { version: "1.2.3", externalUrl: "https://forge.example" }
/** Nothing listens on port 1. */
const client = makeClient("postgres://127.0.0.1:1/none", { connections: 1, name: "test" })
const noDatabase = Layer.succeed(Sql)({
  client,
  lookups: client,
  tokenLookups: client,
  onTokenConnectionClosed: () => {},
  url: ""
})

const statusOf = (readModels: ReadonlyArray<ReadModelStatus>) =>
  Layer.mock(Projections)({
    names: ["users"],
    awaitPosition: () => Effect.void,
    status: Effect.succeed({ leader: true, head: 3, readModels }),
    rebuilds: Effect.succeed([])
  })
const level: ReadModelStatus = { name: "users", position: 3, lag: 0, parkedStreams: 1 }
const store = Layer.mock(EventStore)({ head: Effect.succeed(3) })
const parts = Layer.mergeAll(noDatabase, store, statusOf([level]))

const { handler, dispose } = HttpRouter.toWebHandler(
  operations({ ...address, dataDir: tmpdir(), endpoints: sampleEndpoints }).pipe(
    Layer.provide(parts),
    Layer.provide(HttpServer.layerServices)
  ),
  { disableLogger: true }
)
afterAll(dispose)
const get = (path: string, method = "GET") => handler(new Request(`http://x/-/${path}`, { method }))

describe("the routes", () => {
  it("health answers as long as the process does, and tells a watch that changes cannot be stored", async () => {
    const body = '{"status":"degraded","writes":"failing","reason":"refused with ECONNREFUSED"}'
    for (const [path, status] of [
      ["health", 200],
      ["health/writes", 503]
    ] as const) {
      const response = await get(path)
      expect([response.status, response.headers.get("cache-control"), await response.text()]).toEqual([status, "no-store", body])
    }
  })

  it("readiness names what does not answer, and says no more than that", async () => {
    const response = await get("readiness")
    expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/json"])
    expect(await response.json()).toEqual({
      status: "unavailable",
      checks: {
        database: { status: "failed", reason: "not reachable", millis: expect.any(Number) },
        event_store: { status: "ok", millis: expect.any(Number) },
        projections: { status: "ok", millis: expect.any(Number) }
      }
    })
  })

  it("metrics are Prometheus text", async () => {
    const response = await get("metrics")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    expect(parsePrometheusText(await response.text())).toMatchObject({ 'chronoforge_projection_lag{read_model="users"}': 0 })
  })

  it("openapi.json is the document of the endpoints", async () => {
    const response = await get("openapi.json")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await response.json()).toEqual(documentOf(sampleEndpoints, address))
  })

  it("the root leads to the API reference", async () => {
    const response = await handler(new Request("http://x/"))
    expect([response.status, response.headers.get("location"), response.headers.get("vary")]).toEqual([302, "/-/docs", "accept"])
  })

  it("HEAD is GET without the body, anything else is not there", async () => {
    const head = await get("health", "HEAD")
    expect([head.status, await head.text()]).toEqual([200, ""])
    expect((await get("nothing")).status).toBe(404)
  })
})

describe("readiness", () => {
  const readModelCheck = (readModel: ReadModelStatus) =>
    Effect.gen(function* () {
      const checks = yield* standardChecks(defaultLimits)
      const readiness = yield* Effect.flatten(
        makeReadiness(
          checks.filter(({ name }) => name === "projections"),
          defaultLimits.time
        )
      )
      return [readiness.status, readiness.checks.projections?.reason]
    }).pipe(Effect.provide(Layer.mergeAll(noDatabase, store, statusOf([level, readModel]))))

  it.effect("bounds the lag and the number of parked streams", () =>
    Effect.gen(function* () {
      expect(yield* readModelCheck({ ...level, lag: 100_000, parkedStreams: 100 })).toEqual(["ok", undefined])
      expect(yield* readModelCheck({ ...level, lag: 100_001 })).toEqual(["unavailable", "users lags by 100001"])
      expect(yield* readModelCheck({ ...level, parkedStreams: 101 })).toEqual(["unavailable", "users has 101 parked streams"])
    })
  )

  it.effect("gives every check its own time", () =>
    Effect.gen(function* () {
      const checks = [
        { name: "hangs", run: Effect.never },
        { name: "answers", run: Effect.undefined },
        { name: "complains", run: Effect.succeed("two migrations are missing") }
      ]
      const running = yield* Effect.forkChild(Effect.flatten(makeReadiness(checks, "2 seconds")))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(running)).toEqual({
        status: "unavailable",
        checks: {
          hangs: { status: "failed", reason: "no answer in time", millis: expect.any(Number) },
          answers: { status: "ok", millis: expect.any(Number) },
          complains: { status: "failed", reason: "two migrations are missing", millis: expect.any(Number) }
        }
      })
    })
  )

  it.effect("is told within half a second with what was found last, while a check takes longer", () =>
    Effect.gen(function* () {
      let answers = Effect.succeed<string | undefined>(undefined)
      const readiness = yield* makeReadiness(
        [{ name: "slow", run: Effect.suspend(() => answers), time: "10 seconds" }],
        "2 seconds"
      )
      const asked = Effect.map(readiness, ({ checks, status }) => [status, checks.slow?.reason])
      expect(yield* asked).toEqual(["ok", undefined])
      answers = Effect.delay(Effect.succeed("too late"), "8 seconds")
      const waiting = yield* Effect.forkChild(asked)
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.join(waiting)).toEqual(["ok", undefined])
      yield* TestClock.adjust("8 seconds")
      answers = Effect.never
      const later = yield* Effect.forkChild(asked)
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.join(later)).toEqual(["unavailable", "too late"])
    })
  )
})
