import { describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const nothing = [404, { error: "404 Not Found" }]
const old = [410, { error: "API V3 is no longer supported. Use API V4 instead." }]
const version = { version: "17.4.0", revision: expect.stringMatching(/^[0-9a-f]{11}$/) }

const answer = async (method: string, path: string) => {
  const { body, status } = await service.request(method, path)
  return [status, body]
}

/** Sends a path that `fetch` would change. */
const raw = async (method: string, target: string) => {
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\nConnection: close\r\n\r\n`
  const { body, status } = await rawRequest(service.url, head)
  return [status, body === "" ? undefined : JSON.parse(body)]
}

describe("paths that lead nowhere", () => {
  const rows: ReadonlyArray<readonly [given: string, method: string, target: string, expected: ReadonlyArray<unknown>]> = [
    ["an unknown path", "GET", "/api/v4/nope", nothing],
    ["the root of the interface", "GET", "/api/v4/", nothing],
    ["a path outside the interface", "GET", "/users", nothing],
    ["an undeclared method", "PATCH", "/api/v4/user", nothing],
    ["a method that HTTP does not know", "BREW", "/api/v4/user", [400, { error: "400 Bad Request" }]],
    ["a method of WebDAV", "PROPFIND", "/api/v4/user", nothing],
    ["another letter case", "GET", "/api/v4/User", nothing],
    ["one segment too many", "GET", "/api/v4/users/1/nope", nothing],
    ["a percent sign that encodes nothing", "GET", "/api/v4/users/%zz", nothing],
    ["bytes that are not UTF-8", "GET", "/api/v4/users/%ff", nothing],
    ["a segment of 5,000 letters", "GET", `/api/v4/users/${"a".repeat(5000)}`, nothing],
    ["an asterisk", "OPTIONS", "*", nothing],
    ["version 3", "GET", "/api/v3/projects", old],
    ["version 3 itself", "POST", "/api/v3", old],
    ["what only begins like version 3", "GET", "/api/v30/projects", nothing]
  ]
  it.each(rows)("%s", async (_, method, target, expected) => {
    expect(await raw(method, target)).toEqual(expected)
  })
})

describe("paths that lead somewhere", () => {
  it.each([
    "/api/v4/version",
    "/api/v4/version/",
    "/api/v4//version",
    "/api/v4/version.json",
    "/api/v4/%76ersion",
    "/api/v4/version?a=1&a=2",
    "http://elsewhere.example/api/v4/version"
  ])("%s", async (target) => {
    expect(await raw("GET", target)).toEqual([200, version])
  })

  it("whatever format is accepted, JSON is answered", async () => {
    const { body, headers } = await service.request("GET", "/version", { headers: { accept: "text/html" } })
    expect([headers.get("content-type"), body]).toEqual(["application/json", version])
  })

  it("an offer to upgrade the connection is passed over", async () => {
    const offer = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
    const head = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${rootToken}\r\n${offer}\r\n`
    expect(await rawRequest(service.url, head)).toMatchObject({ status: 200, body: expect.stringContaining("17.4.0") })
  })

  it("each endpoint is the one that its own path reaches", async () => {
    const before = service.log.length
    for (const { endpoint } of routes) {
      await service.request(
        endpoint.method,
        endpoint.path.replace(/:(\w+)/g, (_, name) => (name === "format" ? "zip" : "999999")),
        { token: "unknown" }
      )
    }
    expect(service.log.slice(before).map(({ route }) => route)).toEqual(routes.map(({ endpoint }) => endpoint.name))
  })
})

describe("HEAD and OPTIONS", () => {
  it("HEAD has status and headers of GET, and no body", async () => {
    const own = /^(connection|keep-alive|date|x-request-id|x-runtime|x-gitlab-meta)$/
    const seen = async (method: string) => {
      const { body, headers, status } = await service.request(method, "/users")
      return {
        status,
        isEmpty: body === undefined,
        headers: Object.fromEntries([...headers].filter(([name]) => !own.test(name)))
      }
    }
    const [get, head] = [await seen("GET"), await seen("HEAD")]
    expect(head).toEqual({ ...get, isEmpty: true })
    expect(get).toMatchObject({ isEmpty: false, headers: { "content-length": expect.any(String), "x-total": "1" } })
  })

  it("HEAD of an unknown path is 404", async () => {
    expect(await answer("HEAD", "/nope")).toEqual([404, undefined])
  })

  it.each([
    ["/user", "OPTIONS, GET, HEAD"],
    ["/users/1", "OPTIONS, GET, PUT, DELETE, HEAD"],
    ["/users/1/block", "OPTIONS, POST"]
  ])("OPTIONS %s names the methods", async (path, methods) => {
    const { body, headers, status } = await service.request("OPTIONS", path, { token: null })
    expect([status, headers.get("allow"), body]).toEqual([204, methods, undefined])
  })

  it("OPTIONS of an unknown path is 404", async () => {
    expect(await answer("OPTIONS", "/nope")).toEqual(nothing)
  })
})

describe("the headers of all answers", () => {
  const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const cases: ReadonlyArray<readonly [given: string, path: string, token: string | undefined, cache: string]> = [
    ["a success", "/version", undefined, "max-age=0, private, must-revalidate"],
    ["a refusal", "/version", "unknown", "no-cache"],
    ["an unknown path", "/nope", undefined, "no-cache"]
  ]
  it.each(cases)("of %s", async (_, path, token, cache) => {
    const { headers } = await service.request("GET", path, { token })
    const { date: __, etag: ___, connection: ____, "keep-alive": _____, ...all } = Object.fromEntries(headers)
    expect(all).toEqual({
      "cache-control": cache,
      "content-length": expect.any(String),
      "content-type": "application/json",
      vary: "Origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "x-gitlab-meta": `{"correlation_id":"${headers.get("x-request-id")}","version":"1"}`,
      "x-request-id": uuid,
      "x-runtime": expect.stringMatching(/^\d+\.\d{6}$/)
    })
  })

  it("a request id of the client is taken over, without what could break a line", async () => {
    const { headers } = await service.request("GET", "/version", { headers: { "x-request-id": 'build-7@ci "x\t{y}' } })
    expect([headers.get("x-request-id"), service.log.at(-1)?.id]).toEqual(["build-7@cixy", "build-7@cixy"])
  })
})

describe("the statuses of successes", () => {
  it("are 200 for reads and changes, 201 for creations and actions, 204 without a body for deletions", async () => {
    const account = { username: "status", name: "Status", email: "status@example.com", force_random_password: true }
    const created = await service.request("POST", "/users", { json: account })
    const { id } = { id: 0, ...(typeof created.body === "object" ? created.body : {}) }
    const changed = await service.request("PUT", `/users/${id}`, { json: { note: "x" } })
    const blocked = await service.request("POST", `/users/${id}/block`)
    const deleted = await service.request("DELETE", `/users/${id}`)
    expect([created.status, changed.status, blocked.status, blocked.body]).toEqual([201, 200, 201, true])
    expect([deleted.status, deleted.body, deleted.headers.get("content-type")]).toEqual([204, undefined, null])
  })
})
