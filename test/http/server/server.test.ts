import type { RequestListener } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { HttpServer, httpServer } from "#src/http/server/server.ts"

const limits = { idleMillis: 30_000, maxConnections: 1_000 }

/** A server whose requests wait until they are let go, each with its path as the answer. */
const makeServer = Effect.fnUntraced(function* (shutdownDelayMillis = 0) {
  const scope = yield* Scope.make()
  const server = yield* Layer.buildWithScope(httpServer("127.0.0.1", 0, { ...limits, shutdownDelayMillis }), scope).pipe(
    Effect.flatMap((context) => Effect.provide(HttpServer, context))
  )
  const running: Array<() => void> = []
  const listener: RequestListener = (request, response) => {
    running.push(() => response.end(request.url))
  }
  yield* Scope.provide(server.serve(listener), scope)
  const { isStopping, url } = server
  return { port: Number(new URL(url).port), running, isStopping, stop: Scope.close(scope, Exit.void) }
})

/** A connection, and what came over it until it ended. */
const open = (port: number): { readonly socket: Socket; readonly heard: Promise<string> } => {
  const socket = connect(port, "127.0.0.1")
  let text = ""
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk
  })
  socket.on("error", () => {})
  return { socket, heard: new Promise((resolve) => socket.once("close", () => resolve(text))) }
}

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const look = () => (holds() ? resume(Effect.void) : setImmediate(look))
    look()
  })

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

it.effect("a server that stops finishes what runs, takes nothing more, and does not wait for connections that ask nothing", () =>
  Effect.gen(function* () {
    const { port, running, stop } = yield* makeServer()
    const [unused, begun, kept] = [open(port), open(port), open(port)]
    begun.socket.write("GET /half HTTP/1.1\r\nHo")
    kept.socket.write(get("/first"))
    yield* until(() => running.length === 1 && unused.socket.readyState === "open")
    const stopping = yield* Effect.forkChild(stop)
    assert.deepStrictEqual(yield* Effect.promise(() => Promise.all([unused.heard, begun.heard])), ["", ""])
    kept.socket.write(get("/second"))
    running[0]?.()
    const heard = yield* Effect.promise(() => kept.heard)
    yield* Fiber.join(stopping)
    assert.match(heard, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\/first/)
    assert.notMatch(heard, /\/second/)
  })
)

it.effect("a request that still runs after ten seconds is told that the service stops", () =>
  Effect.gen(function* () {
    const { port, running, stop } = yield* makeServer()
    const endless = open(port)
    endless.socket.write(get("/endless"))
    yield* until(() => running.length === 1)
    const stopping = yield* Effect.forkChild(stop)
    yield* TestClock.adjust("10 seconds")
    const heard = yield* Effect.promise(() => endless.heard)
    yield* Fiber.join(stopping)
    assert.match(heard, /^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*the service is starting or stopping/i)
  })
)

it.effect("a server that stops goes on for its delay, and lets connections that are kept go", () =>
  Effect.gen(function* () {
    const { isStopping, port, running, stop } = yield* makeServer(5_000)
    const kept = open(port)
    kept.socket.write(get("/before"))
    yield* until(() => running.length === 1)
    running[0]?.()
    assert.isFalse(isStopping())
    const stopping = yield* Effect.forkChild(stop)
    yield* until(isStopping)
    const late = open(port)
    late.socket.write(get("/late"))
    kept.socket.write(get("/again"))
    yield* until(() => running.length === 3)
    for (const finish of running.slice(1)) finish()
    const [lateHeard, keptHeard] = yield* Effect.promise(() => Promise.all([late.heard, kept.heard]))
    assert.match(lateHeard, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close[\s\S]*\/late/i)
    assert.match(keptHeard, /Connection: keep-alive[\s\S]*\/before[\s\S]*Connection: close[\s\S]*\/again/i)
    yield* TestClock.adjust("5 seconds")
    yield* Fiber.join(stopping)
    const refused = open(port)
    assert.strictEqual(yield* Effect.promise(() => refused.heard), "")
  })
)

it.effect("requests before there is anybody to answer them are refused", () =>
  Effect.gen(function* () {
    const server = yield* HttpServer
    const early = open(Number(new URL(server.url).port))
    early.socket.write(get("/early"))
    assert.match(yield* Effect.promise(() => early.heard), /^HTTP\/1\.1 503 [\s\S]*retry-after: 5/i)
  }).pipe(Effect.provide(httpServer("127.0.0.1", 0, limits)))
)

it.effect("an address that is taken is named", () =>
  Effect.gen(function* () {
    const { url } = yield* HttpServer
    const port = Number(new URL(url).port)
    const failed = yield* Effect.flip(Effect.scoped(Layer.build(httpServer("127.0.0.1", port, limits))))
    assert.match(failed.message, new RegExp(`^HOST and PORT: cannot listen at 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`))
  }).pipe(Effect.provide(httpServer("127.0.0.1", 0, limits)))
)
