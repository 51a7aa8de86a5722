import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { type RawAnswer, rawRequest } from "#test/support/requests/rawRequest.ts"
import { useService } from "#test/support/service.ts"
import { bytesOf, oddRequest } from "./oddRequests.ts"

const service = useService()

/** Fails unless a request was answered, and not by a fault of the service. */
const expectAnswered = ({ body, headers, status }: RawAnswer) => {
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
  if (headers["content-type"] === "application/json" && body !== "") JSON.parse(body)
}

afterAll(() => {
  expect(service.log.filter(({ status }) => status >= 500)).toEqual([])
})

describe("any parameters", () => {
  it.each(routes.map(({ endpoint }) => [endpoint.name, endpoint] as const))("of %s", async (_, endpoint) => {
    await fc.assert(
      fc.asyncProperty(oddRequest(endpoint), async (odd) => expectAnswered(await rawRequest(service.url, bytesOf(odd)))),
      { numRuns: 20 }
    )
  })

  it("sent by an administrator leave the administrator", async () => {
    expect((await service.request("GET", "/user")).status).toBe(200)
  })
})

describe("any bytes", () => {
  const target = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom("/", "%", "2", "F", "f", ".", "?", "#", ";", "api", "v4", "users", "json") })
  )

  it("as the target of a request", async () => {
    await fc.assert(
      fc.asyncProperty(target, async (text) => {
        const line = `GET /${text.replace(/[\s]/g, "")} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
        expectAnswered(await rawRequest(service.url, Buffer.from(line, "latin1")))
      }),
      { numRuns: 150 }
    )
  })

  it("as a request", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const { status } = await rawRequest(service.url, bytes, { cut: true })
        expect(status ?? 400).toBe(400)
      }),
      { numRuns: 100 }
    )
  })

  it("in place of some bytes of a good request", async () => {
    const good = Buffer.from(
      `PUT /api/v4/users/1 HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: unknown\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"note":"x"}`
    )
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(good)
        for (const [at, byte] of changes) bytes[at] = byte
        const { status } = await rawRequest(service.url, bytes, { cut: true })
        expect(status ?? 400).toBeLessThan(500)
      }),
      { numRuns: 100 }
    )
  })
})

describe("what is no HTTP", () => {
  const line = "POST /api/v4/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
  it.each([
    ["words", "good day\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a target without a slash", "GET api/v4/version HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a length that is no number", `${line}Content-Length: two\r\n\r\n{}`],
    ["two lengths", `${line}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["a length and chunks", `${line}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunk without a size", `${line}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["an unknown transfer coding", `${line}Transfer-Encoding: gzip\r\n\r\n{}`]
  ])("%s", async (_, text) => {
    const answer = await rawRequest(service.url, Buffer.from(text, "latin1"))
    expect([answer.status, answer.headers["content-type"], answer.body]).toEqual([
      400,
      "application/json",
      '{"error":"400 Bad Request"}'
    ])
  })

  it("more headers than fit", async () => {
    const headers = Array.from({ length: 3000 }, (_, index) => `X-${index}: some value\r\n`).join("")
    const answer = await rawRequest(service.url, `GET /api/v4/version HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    expect([answer.status, answer.body]).toEqual([431, '{"error":"431 Request Header Fields Too Large"}'])
  })
})
