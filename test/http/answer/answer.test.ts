import { once } from "node:events"
import { createServer, request } from "node:http"
import { Readable } from "node:stream"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Answer, conditional, writeAnswer } from "#src/http/answer/answer.ts"
import { listening } from "#test/support/processes/listening.ts"

const standard = { requestId: "r", startedAt: 0, position: undefined, cors: {} }

/** What each path answers, made when it is asked for. */
const answers: Readonly<Record<string, () => Answer>> = {
  "/text": () => ({ status: 200, headers: { vary: "Accept" }, body: '"é"' }),
  "/bytes": () => ({ status: 200, headers: { "content-type": "image/png" }, body: new Uint8Array([0, 255, 10]) }),
  "/empty": () => ({ status: 200, headers: {}, body: "" }),
  "/none": () => ({ status: 204, headers: {}, body: "" }),
  "/stream": () => ({ status: 200, headers: { "content-type": "text/plain" }, body: Readable.from(["one ", "two"]) }),
  "/broken": () => ({
    status: 200,
    headers: {},
    body: Readable.from(
      (function* () {
        yield "half"
        throw new Error("broken")
      })()
    )
  })
}

/** Streams that were sent. */
const streams: Array<Readable> = []
const server = createServer((incoming, response) => {
  const answer = answers[incoming.url ?? ""]?.()
  if (answer?.body instanceof Readable) streams.push(answer.body)
  if (answer !== undefined) writeAnswer(response, answer, standard)
})
let port = 0
beforeAll(async () => {
  port = await listening(server)
})
afterAll(() => once(server.close(), "close"))

const ask = (method: string, path: string) =>
  new Promise<readonly [length: string | undefined, type: string | undefined, vary: unknown, body: Buffer | string]>(
    (resolve, reject) => {
      const client = request({ port, host: "127.0.0.1", method, path, agent: false }, (response) => {
        const chunks: Array<Buffer> = []
        const { "content-length": length, "content-type": type, vary } = response.headers
        response.on("data", (chunk) => chunks.push(chunk))
        response.on("error", () => resolve([length, type, vary, "cut off"]))
        response.on("end", () => resolve([length, type, vary, Buffer.concat(chunks)]))
      })
      client.on("error", reject)
      client.end()
    }
  )

test.each([
  ["GET", "/text", "4", "application/json", "Accept", Buffer.from('"é"')],
  ["HEAD", "/text", "4", "application/json", "Accept", Buffer.alloc(0)],
  ["GET", "/bytes", "3", "image/png", "Origin", Buffer.from([0, 255, 10])],
  ["GET", "/empty", "0", undefined, "Origin", Buffer.alloc(0)],
  ["GET", "/none", undefined, undefined, "Origin", Buffer.alloc(0)],
  ["GET", "/stream", undefined, "text/plain", "Origin", Buffer.from("one two")],
  ["HEAD", "/stream", undefined, "text/plain", "Origin", Buffer.alloc(0)],
  ["GET", "/broken", undefined, "application/json", "Origin", "cut off"]
])("%s %s", async (method, path, ...expected) => {
  expect(await ask(method, path)).toEqual(expected)
})

test("no stream is left open", () => {
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
})

test("bytes have an entity tag, streams have none, and a header of the answer wins", () => {
  const bytes = conditional({ status: 200, headers: { "cache-control": "no-store" }, body: new Uint8Array([1]) }, undefined)
  expect(bytes.headers).toEqual({ "cache-control": "no-store", etag: 'W/"4bf5122f344554c53bde2ebb8cd2b7e3"' })
  expect(conditional(bytes, bytes.headers.etag)).toMatchObject({ status: 304, body: "" })
  expect(conditional({ status: 200, headers: {}, body: Readable.from([]) }, undefined).headers).toEqual({})
})
