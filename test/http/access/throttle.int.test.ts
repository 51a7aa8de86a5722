import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { rootToken, type Sent, useService } from "#test/support/service.ts"

const service = useService({ RATE_LIMIT_UNAUTHENTICATED: "3", RATE_LIMIT_AUTHENTICATED: "5" })

// The minute in which requests are counted is that of the clock, so each test has a minute of its own, ten seconds old.
let minute = 30_000_000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: minute++ * 60_000 + 10_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const asNobody: Sent = { token: null }

const statuses = async (times: number, path: string, sent: Sent = {}, method = "GET") => {
  const seen: Array<number> = []
  for (let time = 0; time < times; time++) seen.push((await service.request(method, path, sent)).status)
  return seen
}

describe("one request too many", () => {
  it("is told in plain text, with all that a client needs to wait", async () => {
    await statuses(3, "/users?username=root", asNobody)
    const { body, headers, status } = await service.request("GET", "/users?username=root", asNobody)
    const reset = (minute - 1) * 60 + 60
    expect([status, headers.get("content-type"), body]).toEqual([429, "text/plain", "Retry later\n"])
    expect(Object.fromEntries([...headers].filter(([name]) => /^ratelimit|^retry/.test(name)))).toEqual({
      "ratelimit-name": "throttle_unauthenticated_api",
      "ratelimit-limit": "3",
      "ratelimit-observed": "4",
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(reset),
      "ratelimit-resettime": new Date(reset * 1000).toUTCString(),
      "retry-after": "50"
    })
  })

  it("of a user has another name", async () => {
    await statuses(5, "/user")
    const { headers, status } = await service.request("GET", "/user")
    expect([status, headers.get("ratelimit-name"), headers.get("ratelimit-limit")]).toEqual([
      429,
      "throttle_authenticated_api",
      "5"
    ])
    expect(service.log.at(-1)).toMatchObject({ status: 429, caller: "user:1" })
  })

  it("is over with the minute", async () => {
    expect(await statuses(4, "/users?username=root", asNobody)).toEqual([200, 200, 200, 429])
    vi.setSystemTime(Date.now() + 49_999)
    expect(await statuses(1, "/users?username=root", asNobody)).toEqual([429])
    vi.setSystemTime(Date.now() + 1)
    expect(await statuses(1, "/users?username=root", asNobody)).toEqual([200])
    minute++
  })

  it("is announced by no header before", async () => {
    const { headers } = await service.request("GET", "/user")
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([])
  })
})

describe("counted are", () => {
  it.each([
    ["refused tokens", "GET", "/user", { token: "unknown" }, 401],
    ["unknown paths", "GET", "/nope", asNobody, 404],
    ["bodies that cannot be read", "POST", "/users", { token: null, headers: { "content-type": "x/y" }, form: { a: "b" } }, 415]
  ])("%s, against the address", async (_, method, path, sent, status) => {
    expect(await statuses(4, path, sent, method)).toEqual([status, status, status, 429])
    expect(await statuses(1, "/user")).toEqual([200])
  })

  it("users apart from each other, whatever their token", async () => {
    const ann = await createUser(service, "ann")
    const [first, second] = [await issueTokenFor(service, ann), await issueTokenFor(service, ann)]
    vi.setSystemTime(minute++ * 60_000)
    expect(await statuses(3, "/user", { token: first.text })).toEqual([200, 200, 200])
    expect(await statuses(3, "/user", { token: second.text })).toEqual([200, 200, 429])
    expect(await statuses(1, "/user")).toEqual([200])
  })

  it("an administrator under sudo, not the assumed user", async () => {
    const bob = await createUser(service, "bob")
    const { text } = await issueTokenFor(service, bob)
    vi.setSystemTime(minute++ * 60_000)
    expect(await statuses(6, "/user", { token: rootToken, headers: { sudo: "bob" } })).toEqual([200, 200, 200, 200, 200, 429])
    expect(await statuses(1, "/user", { token: text })).toEqual([200])
  })

  it("bodies that name a user against that one, not the address", async () => {
    const named: Sent = { token: null, form: { private_token: rootToken } }
    expect(await statuses(5, "/users", named, "POST")).toEqual([400, 400, 400, 400, 400])
    expect(await statuses(1, "/users?username=root", asNobody)).toEqual([200])
    expect(await statuses(1, "/user")).toEqual([429])
  })

  it("bodies before they are read", async () => {
    await statuses(3, "/users?username=root", asNobody)
    const announced = "POST /api/v4/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 65536\r\n\r\n{"
    expect(await rawRequest(service.url, announced)).toMatchObject({ status: 429, body: "Retry later\n" })
  })

  it("not the operator's pages", async () => {
    expect(await statuses(10, "/-/health", asNobody)).toEqual(Array.from({ length: 10 }, () => 200))
  })
})
