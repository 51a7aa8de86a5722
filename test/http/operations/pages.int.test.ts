import { type IncomingMessage, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { defined } from "#src/kernel/defined.ts"
import { useService } from "#test/support/service.ts"

const service = useService({ EXTERNAL_URL: "https://forge.example/base" })

/** The answer as it is sent: `fetch` would add headers and decompress it. */
const exchange = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
  const sent = request(`${service.url}${path}`, { method, headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject)
  })
  sent.end()
  const answer = await answered
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

it.each([
  ["/-/openapi.json", "application/json", null],
  ["/-/docs", "text/html; charset=utf-8", "private, max-age=300"]
])("%s is compressed where that is allowed, and sent once", async (path, type, caching) => {
  const shown = async (headers: Readonly<Record<string, string>>, method = "GET") => {
    const answer = await exchange(method, path, headers)
    const { "cache-control": cacheControl = null, "content-type": contentType, etag } = answer.headers
    expect([answer.headers.vary, answer.headers["x-content-type-options"]]).toEqual(["accept-encoding", "nosniff"])
    return { answer, told: [answer.status, contentType, answer.headers["content-encoding"], cacheControl], etag }
  }
  const plain = await shown({ "accept-encoding": "br, gzip;q=0" })
  const zipped = await shown({ "accept-encoding": "gzip, br" })
  expect(plain.told).toEqual([200, type, undefined, caching])
  expect(zipped.told).toEqual([200, type, "gzip", caching])
  expect(gunzipSync(zipped.answer.body).equals(plain.answer.body)).toBe(true)
  expect(zipped.answer.body.length).toBeLessThan(plain.answer.body.length / 3)
  expect([plain.etag, zipped.etag]).toEqual([expect.stringMatching(/^W\/"[0-9a-f]{32}"$/), plain.etag])
  const again = await shown({ "if-none-match": plain.etag ?? "", "accept-encoding": "gzip" })
  expect([again.answer.status, again.answer.body.length, again.etag]).toEqual([304, 0, plain.etag])
})

it.each([
  ["GET", "/", "text/html,application/xhtml+xml,*/*;q=0.8", [302, "/base/-/docs"]],
  ["HEAD", "/?a=b", "text/html", [302, "/base/-/docs"]],
  ["GET", "/", "*/*", [404, undefined]],
  ["GET", "/", "application/json, text/html;q=0", [404, undefined]],
  ["GET", "/", undefined, [404, undefined]],
  ["GET", "/x", "text/html", [404, undefined]],
  ["POST", "/", "text/html", [404, undefined]]
])("%s %s of a client that accepts %s is answered with %j", async (method, path, accept, told) => {
  const { headers, status } = await exchange(method, path, defined({ accept }))
  expect([status, headers.location]).toEqual(told)
})
