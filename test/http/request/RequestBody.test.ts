import { once } from "node:events"
import { createServer, type RequestListener, request } from "node:http"
import { connect } from "node:net"
import { Deferred, Effect, Exit, Option, Result } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { payloadTooLarge, type WireError } from "#src/http/answer/errors.ts"
import { incomingOf } from "#src/http/request/Incoming.ts"
import { bodyMemoryLimits, maxContentBytes, maxDrainedBytes } from "#src/http/request/limits.ts"
import { RequestBody } from "#src/http/request/RequestBody.ts"
import { drain } from "#src/platform/drain.ts"
import { ByteBudget } from "#src/platform/work/ByteBudget.ts"
import { listening } from "#test/support/processes/listening.ts"

/** How the reading of a body ended when its client went away. */
const abandoned = Deferred.makeUnsafe<Exit.Exit<Uint8Array, WireError>>()

const { anonymous, large, small } = bodyMemoryLimits
const memories = { anonymous: new ByteBudget(anonymous), small: new ByteBudget(small), large: new ByteBudget(large) }

const listener: RequestListener = (request, response) => {
  const isAbandoned = request.url === "/abandoned"
  const body = new RequestBody(incomingOf(request, response, { address: "127.0.0.1", network: "127.0.0.1" }), memories)
  const read = body.read({
    caller: request.url ?? "",
    isAnonymous: false,
    idleMillis: 30_000,
    limit: maxContentBytes,
    tooLarge: payloadTooLarge
  })
  const reading = Effect.onExit(
    Effect.ensuring(
      read,
      Effect.sync(() => body.release())
    ),
    (exit) => (isAbandoned ? Deferred.succeed(abandoned, exit) : Effect.void)
  )
  Effect.runFork(Effect.result(reading)).addObserver((exit) => {
    drain(request, maxDrainedBytes)
    const outcome = Exit.getSuccess(exit).pipe(Option.getOrThrow)
    if (Result.isSuccess(outcome)) response.end(String(outcome.success.length))
    else response.writeHead(outcome.failure.status).end(JSON.stringify(outcome.failure.body))
  })
}
const server = createServer(listener).on("checkContinue", listener)
let port = 0

beforeAll(async () => {
  port = await listening(server)
})
afterAll(() => once(server.close(), "close"))

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: ReadonlyArray<Buffer>
}

const send = ({ method = "POST", headers = {}, body = [] }: Sent) =>
  new Promise<string>((resolve, reject) => {
    const client = request({ port, host: "127.0.0.1", method, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve(`${response.statusCode} ${text}`))
    })
    client.on("error", reject)
    if (headers.expect !== undefined) client.on("continue", () => client.end(Buffer.concat(body)))
    else {
      for (const chunk of body) client.write(chunk)
      client.end()
    }
  })

const mebibyte = Buffer.alloc(1024 * 1024, "a")
const largest = new Array<Buffer>(16).fill(mebibyte)
const tooLarge = '413 {"message":"413 Request Entity Too Large"}'

test.each<readonly [string, Sent, string]>([
  ["none", {}, "200 0"],
  ["none, declared", { headers: { "content-length": "0" } }, "200 0"],
  ["none of DELETE", { method: "DELETE" }, "200 0"],
  ["in chunks", { body: [Buffer.from("ab"), Buffer.from("c")] }, "200 3"],
  ["ignored with GET", { method: "GET", headers: { "content-length": "3" }, body: [Buffer.from("abc")] }, "200 0"],
  ["awaited", { headers: { expect: "100-continue", "content-length": "3" }, body: [Buffer.from("abc")] }, "200 3"],
  ["as large as allowed", { body: largest }, `200 ${maxContentBytes}`],
  ["declared too large", { headers: { expect: "100-continue", "content-length": String(maxContentBytes + 1) } }, tooLarge],
  ["too large in chunks", { body: [...largest, Buffer.from("a")] }, tooLarge]
])("body: %s", async (_, sent, expected) => expect(await send(sent)).toBe(expected))

test("a client that goes away ends the reading", async () => {
  const socket = connect(port, "127.0.0.1")
  server.once("request", () => setImmediate(() => socket.destroy()))
  socket.write("POST /abandoned HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
  expect(Exit.isFailure(await Effect.runPromise(Deferred.await(abandoned)))).toBe(true)
})

describe("the memory of bodies", () => {
  const taken = (memory: ByteBudget, wishes: ReadonlyArray<readonly [caller: string, bytes: number]>) =>
    wishes.map(([caller, bytes]) => memory.take(caller, bytes))

  test("has a share for each caller, and an end", () => {
    const memory = new ByteBudget({ total: 10, share: 4 })
    expect(
      taken(memory, [
        ["a", 3],
        ["a", 2],
        ["a", 1],
        ["a", 1],
        ["b", 5],
        ["b", 4],
        ["c", 3],
        ["c", 2],
        ["d", 1]
      ])
    ).toEqual([true, false, true, false, false, true, false, true, false])
  })

  test("is there again once it was given back", () => {
    const memory = new ByteBudget({ total: 10, share: 4 })
    taken(memory, [
      ["a", 4],
      ["b", 4]
    ])
    memory.giveBack("a", 3)
    expect(
      taken(memory, [
        ["a", 4],
        ["a", 3],
        ["c", 3],
        ["c", 2]
      ])
    ).toEqual([false, true, false, true])
    for (const [caller, bytes] of [
      ["a", 4],
      ["b", 4],
      ["c", 2]
    ] as const)
      memory.giveBack(caller, bytes)
    expect(
      taken(memory, [
        ["a", 4],
        ["b", 4],
        ["c", 2],
        ["d", 1]
      ])
    ).toEqual([true, true, true, false])
  })
})
