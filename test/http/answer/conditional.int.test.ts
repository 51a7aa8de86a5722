import { describe, expect, it } from "vitest"
import { createUser } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"

const service = useService()

describe("If-None-Match", () => {
  const ask = async (method: string, ifNoneMatch?: string, path = "/user") => {
    const headers: Readonly<Record<string, string>> = ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }
    const { body, headers: answered, status } = await service.request(method, path, { headers })
    return { status, isEmpty: body === undefined, etag: answered.get("etag"), cache: answered.get("cache-control") }
  }
  const cache = "max-age=0, private, must-revalidate"

  it("names what the client has: 304 without a body, also to HEAD", async () => {
    // The first use of the token changes the user once.
    await expect
      .poll(async () => (await service.request("GET", "/user")).body)
      .toMatchObject({ last_activity_on: expect.any(String) })
    const { etag } = await ask("GET")
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const unchanged = { status: 304, isEmpty: true, etag, cache }
    expect(await ask("HEAD")).toEqual({ status: 200, isEmpty: true, etag, cache })
    for (const known of [etag ?? "", `"other", ${etag}`, (etag ?? "").replace("W/", ""), "*"]) {
      expect([await ask("GET", known), await ask("HEAD", known)]).toEqual([unchanged, unchanged])
    }
    for (const other of ['W/"00000000000000000000000000000000"', "nonsense", ""]) {
      expect(await ask("GET", other)).toEqual({ status: 200, isEmpty: false, etag, cache })
    }
  })

  it("is another after a change", async () => {
    const { etag } = await ask("GET")
    await service.request("PUT", "/users/1", { json: { note: "changed" } })
    expect(await ask("GET", etag ?? "")).toMatchObject({
      status: 200,
      isEmpty: false,
      etag: expect.not.stringContaining(etag ?? "")
    })
  })

  it("a list that did not change still tells its pages", async () => {
    const first = await service.request("GET", "/users")
    const again = await service.request("GET", "/users", { headers: { "if-none-match": first.headers.get("etag") ?? "" } })
    expect([again.status, again.headers.get("x-total"), again.headers.get("link")]).toEqual([304, "1", first.headers.get("link")])
  })

  it("means nothing to refusals and to writes", async () => {
    expect(await ask("GET", "*", "/users/999999")).toEqual({ status: 404, isEmpty: false, etag: null, cache: "no-cache" })
    const written = await service.request("PUT", "/users/1", { json: { note: "x" }, headers: { "if-none-match": "*" } })
    expect([written.status, written.headers.get("etag")]).toEqual([200, null])
  })
})

describe("If-Unmodified-Since", () => {
  const httpDate = (millis: number) => new Date(millis).toUTCString()
  const later = () => httpDate(Date.now() + 60_000)
  const long = "Sun, 06 Nov 1994 08:49:37 GMT"

  it.each([
    ["a date long ago", () => long, 412],
    ["that date in an obsolete form", () => "Sunday, 06-Nov-94 08:49:37 GMT", 412],
    ["that date in ISO form", () => "1994-11-06T08:49:37Z", 412],
    ["a date to come", later, 204],
    ["what is no date", () => "yesterday", 204],
    ["nothing", () => "", 204]
  ])("%s", async (given, date, status) => {
    const id = await createUser(service, given.replace(/\W/g, "-").toLowerCase())
    const answer = await service.request("DELETE", `/users/${id}`, { headers: { "if-unmodified-since": date() } })
    const refused = { message: "412 Precondition Failed" }
    expect([answer.status, answer.body]).toEqual([status, status === 412 ? refused : undefined])
    const left = await service.request("GET", `/users/${id}`)
    expect(left.status).toBe(status === 412 ? 200 : 404)
  })
})
