import { createServer, request } from "node:http"
import { connect } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import { Deferred, Effect, Exit, Result, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { WireError } from "#src/http/errors.ts"
import { readBody } from "#src/http/readBody.ts"
import { maxBodyBytes } from "#src/http/requestLimits.ts"

const server = createServer()
const scope = Scope.makeUnsafe()
let port = 0
/** How the reading of a body ended when its client went away. */
const abandoned = Deferred.makeUnsafe<Exit.Exit<Uint8Array, WireError>>()

const answer = Effect.gen(function* () {
  const incoming = yield* HttpServerRequest.HttpServerRequest
  const isAbandoned = incoming.url === "/abandoned"
  const reading = Effect.onExit(readBody(incoming), (exit) => (isAbandoned ? Deferred.succeed(abandoned, exit) : Effect.void))
  const body = yield* Effect.result(reading)
  return Result.match(body, {
    onSuccess: (bytes) => HttpServerResponse.text(String(bytes.length)),
    onFailure: (error) => HttpServerResponse.jsonUnsafe(error.body, { status: error.status })
  })
})

beforeAll(async () => {
  const serve = NodeHttpServer.make(() => server, { port: 0, host: "127.0.0.1" }).pipe(
    Effect.flatMap((http) => http.serve(answer)),
    Scope.provide(scope)
  )
  await Effect.runPromise(serve)
  const address = server.address()
  if (address !== null && typeof address === "object") port = address.port
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

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
  ["as large as allowed", { body: largest }, `200 ${maxBodyBytes}`],
  ["declared too large", { headers: { expect: "100-continue", "content-length": String(maxBodyBytes + 1) } }, tooLarge],
  ["too large in chunks", { body: [...largest, Buffer.from("a")] }, tooLarge]
])("body: %s", async (_, sent, expected) => expect(await send(sent)).toBe(expected))

test("a client that goes away ends the reading", async () => {
  const socket = connect(port, "127.0.0.1")
  server.once("request", () => setImmediate(() => socket.destroy()))
  socket.write("POST /abandoned HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
  expect(Exit.isFailure(await Effect.runPromise(Deferred.await(abandoned)))).toBe(true)
})
