import { describe, expect, it } from "vitest"
import { type Received, useService } from "#test/support/service.ts"

const service = useService({ EXTERNAL_URL: "https://forge.example/path" })

const corsOf = ({ headers }: Received) => Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")))

const exposed =
  "ETag, Link, X-Request-Id, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, " +
  "X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-File-Name, X-Gitlab-File-Path, " +
  "X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size, X-Chronoforge-Position"
const forAnybody = { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }
const forOwn = {
  "access-control-allow-credentials": "true",
  "access-control-allow-origin": "https://forge.example",
  "access-control-expose-headers": exposed
}

describe("an answer", () => {
  it.each([
    ["any origin", "https://elsewhere.example", forAnybody],
    ["no origin", undefined, {}],
    ["a page without an origin", "null", forAnybody],
    ["an origin that only looks like the own", "https://forge.example.evil.example", forAnybody],
    ["the own origin", "https://forge.example", forOwn]
  ])("to %s", async (_, origin, expected) => {
    const headers: Readonly<Record<string, string>> = origin === undefined ? {} : { origin }
    expect(corsOf(await service.request("GET", "/version", { headers }))).toEqual(expected)
  })

  it.each([
    ["a refusal", "/user", "unknown", 401],
    ["an unknown path", "/nope", "unknown", 404]
  ])("that is %s can be read too", async (_, path, token, status) => {
    const answer = await service.request("GET", path, { token, headers: { origin: "https://elsewhere.example" } })
    expect([answer.status, corsOf(answer)]).toEqual([status, forAnybody])
  })
})

describe("a preflight request", () => {
  const preflight = (path: string, headers: Readonly<Record<string, string>>) =>
    service.request("OPTIONS", path, { token: null, headers: { origin: "https://elsewhere.example", ...headers } })

  it("is allowed what it asks for, and has an empty body", async () => {
    const answer = await preflight("/users", {
      "access-control-request-method": "POST",
      "access-control-request-headers": "private-token, content-type"
    })
    expect([answer.status, answer.body, corsOf(answer)]).toEqual([
      200,
      undefined,
      {
        ...forAnybody,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        "access-control-allow-headers": "private-token, content-type",
        "access-control-max-age": "7200"
      }
    ])
  })

  it("for an unknown path is allowed as well: the request itself finds out", async () => {
    expect((await preflight("/nope", { "access-control-request-method": "GET" })).status).toBe(200)
  })

  it("without a method is an ordinary OPTIONS", async () => {
    const answer = await preflight("/users/1/block", {})
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "OPTIONS, POST"])
  })
})
