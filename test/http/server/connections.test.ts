import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { Connections } from "#src/http/server/Connections.ts"
import { Crowds } from "#src/http/server/Crowds.ts"
import { HttpServer, httpServer } from "#src/http/server/server.ts"
import { takeArrival } from "#src/platform/work/arrivals.ts"

/** Connects from one of the addresses of the loopback network, and asks for a path if there is one. */
const connected = (port: number, from: string, path?: string) =>
  Effect.callback<{ readonly socket: Socket; readonly heard: () => string; readonly ended: Promise<void> }>((resume) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from })
    let text = ""
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    socket.setEncoding("utf8").on("error", () => {})
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.once("connect", () => {
      if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      resume(Effect.succeed({ socket, ended, heard: () => text }))
    })
  })

const open = (port: number, from: string, path?: string) =>
  Effect.acquireRelease(connected(port, from, path), ({ socket }) => Effect.sync(() => socket.destroy()))

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const look = () => (holds() ? resume(Effect.void) : setImmediate(look))
    look()
  })

const serverOf = (maxConnections: number) => httpServer("127.0.0.1", 0, { idleMillis: 30_000, maxConnections })

/** Answers each path with itself, and `/wait` never. */
const served = Effect.gen(function* () {
  const { serve, url } = yield* HttpServer
  const asked: Array<string> = []
  yield* serve((request, response) => {
    asked.push(request.url ?? "")
    if (request.url !== "/wait") response.end(request.url)
  })
  return { asked, port: Number(new URL(url).port) }
})

it.effect("connections are noted as they arrive", () =>
  Effect.gen(function* () {
    const { port } = yield* served
    takeArrival()
    const { heard } = yield* open(port, "127.0.0.1", "/first")
    yield* until(() => heard().endsWith("/first"))
    assert.deepStrictEqual([takeArrival(), takeArrival()], [true, false])
  }).pipe(Effect.scoped, Effect.provide(serverOf(10)))
)

describe("connections beyond the highest number", () => {
  it.effect("are at the cost of the address that has the most, whatever the others do", () => {
    const lines: Array<unknown> = []
    const log = Logger.layer([Logger.make(({ message }) => lines.push(message))])
    return Effect.gen(function* () {
      const { asked, port } = yield* served
      const own = yield* open(port, "127.0.0.2")
      const others = yield* Effect.forEach([1, 2, 3], () => open(port, "127.0.0.1"))
      const next = yield* open(port, "127.0.0.1")
      yield* Effect.promise(() => others[0]?.ended ?? Promise.reject(new Error("none")))
      const second = yield* open(port, "127.0.0.2", "/second")
      yield* Effect.promise(() => others[1]?.ended ?? Promise.reject(new Error("none")))
      own.socket.write("GET /own HTTP/1.1\r\nHost: x\r\n\r\n")
      yield* until(() => own.heard().endsWith("/own") && second.heard().endsWith("/second"))
      assert.deepStrictEqual(asked.toSorted(), ["/own", "/second"])
      assert.deepStrictEqual([others[2]?.socket.readyState, next.socket.readyState], ["open", "open"])
      // It is told once, however many are lost.
      assert.deepStrictEqual(lines, [
        ["More than 4 connections are open, of which 127.0.0.1 has 4: it loses one for each new one"]
      ])
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(serverOf(4), log)))
  })

  it.effect("leave those that wait for an answer, while there are others", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* served
      const busy = yield* open(port, "127.0.0.1", "/wait")
      yield* until(() => asked.length === 1)
      const idle = yield* open(port, "127.0.0.1")
      const first = yield* open(port, "127.0.0.1", "/wait")
      yield* Effect.promise(() => idle.ended)
      yield* until(() => asked.length === 2)
      const refused = yield* open(port, "127.0.0.1")
      yield* Effect.promise(() => refused.ended)
      yield* open(port, "127.0.0.2", "/wait")
      yield* Effect.promise(() => busy.ended)
      assert.deepStrictEqual(first.socket.readyState, "open")
    }).pipe(Effect.scoped, Effect.provide(serverOf(2)))
  )
})

describe("requests that come before the answer to another one", () => {
  const requests = (paths: ReadonlyArray<string>) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("")
  const paths = (number: number) => Array.from({ length: number }, (_, index) => `/${index}`)

  it.effect("are answered one after the other, in their order", () =>
    Effect.gen(function* () {
      const { serve, url } = yield* HttpServer
      let running = 0
      let most = 0
      yield* serve((request, response) => {
        most = Math.max(most, ++running)
        setImmediate(() => {
          running--
          response.end(request.url)
        })
      })
      const { heard, socket } = yield* open(Number(new URL(url).port), "127.0.0.1")
      socket.write(requests(paths(32)))
      yield* until(() => heard().endsWith("/31"))
      assert.deepStrictEqual(
        [...heard().matchAll(/\r\n\r\n(\/\d+)/g)].map(([, path]) => path),
        paths(32)
      )
      socket.write(requests(["/again"]))
      yield* until(() => heard().endsWith("/again"))
      assert.deepStrictEqual(most, 1)
    }).pipe(Effect.scoped, Effect.provide(serverOf(10)))
  )

  it.effect("are not done where they are too many, and the client is let go", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* served
      const { ended, heard, socket } = yield* open(port, "127.0.0.1")
      socket.write(requests(["/wait", ...paths(1_000)]))
      yield* Effect.promise(() => ended)
      const next = yield* open(port, "127.0.0.1", "/next")
      yield* until(() => next.heard().endsWith("/next"))
      assert.deepStrictEqual([heard(), asked], ["", ["/wait", "/next"]])
    }).pipe(Effect.scoped, Effect.provide(serverOf(10)))
  )

  it("are not even made of the rest of what was read", async () => {
    const server = createServer()
    let made = 0
    server.on("request", () => {
      made++
    })
    const connections = new Connections(server, { idleMillis: 30_000, maxConnections: 10 }, () => {})
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1")
    const ended = new Promise((resolve) => socket.once("close", resolve))
    socket.on("error", () => {}).write(requests(paths(1_000)))
    await ended
    connections.closeIdle()
    await new Promise((resolve) => server.close(resolve))
    assert.deepStrictEqual(made, 33)
  })
})

describe("crowds", () => {
  it("tell the largest, and of it who rests the longest, else who is busy the longest", () => {
    const crowds = new Crowds<string>()
    assert.deepStrictEqual(crowds.largest, undefined)
    crowds.put("a", "a1", false)
    crowds.put("b", "b1", false)
    crowds.put("b", "b2", false)
    assert.deepStrictEqual(crowds.largest, { client: "b", size: 2, dispensable: "b1" })
    crowds.put("b", "b1", true)
    assert.deepStrictEqual(crowds.largest, { client: "b", size: 2, dispensable: "b2" })
    crowds.put("b", "b1", false)
    assert.deepStrictEqual(crowds.largest, { client: "b", size: 2, dispensable: "b2" })
    crowds.put("b", "b2", true)
    crowds.put("b", "b1", true)
    assert.deepStrictEqual(crowds.largest, { client: "b", size: 2, dispensable: "b2" })
    crowds.remove("b", "b2")
    crowds.remove("b", "b2")
    crowds.put("a", "a2", false)
    assert.deepStrictEqual(crowds.largest, { client: "a", size: 2, dispensable: "a1" })
    for (const connection of ["a1", "a2"]) crowds.remove("a", connection)
    assert.deepStrictEqual(crowds.largest, { client: "b", size: 1, dispensable: "b1" })
    crowds.remove("b", "b1")
    crowds.remove("c", "c1")
    assert.deepStrictEqual(crowds.largest, undefined)
  })
})
