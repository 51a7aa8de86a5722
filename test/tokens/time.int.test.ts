import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rowChecker } from "#test/support/rows.ts"
import { useService } from "#test/support/service.ts"
import { expired } from "./bodies.ts"

// Only the calendar is told by the tests; everything else runs in its own time.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2040, 4, 30, 12) }))
afterAll(() => void vi.useRealTimers())

const service = useService()
const check = rowChecker(service)
const at = (time: string) => vi.setSystemTime(new Date(time))

describe("a token", () => {
  it("ends with the midnight that begins its date, UTC", async () => {
    const user = await createUser(service, "leap")
    at("2040-05-31T22:00:00Z")
    const json = { name: "ci", scopes: ["api"], expires_at: "2040-06-01" }
    const { body } = await service.request("POST", `/users/${user}/personal_access_tokens`, { json })
    const token = String(field(body, "token"))
    const shown = async () => field((await service.request("GET", `/personal_access_tokens/${field(body, "id")}`)).body, "active")

    at("2040-05-31T23:59:59.999Z")
    expect((await service.request("GET", "/user", { token })).status).toBe(200)
    expect(await shown()).toBe(true)
    at("2040-06-01T00:00:00.000Z")
    await check({ given: "", request: () => ["GET", "/user", { token }], status: 401, body: expired })
    expect(await shown()).toBe(false)
  })

  it("may last a year from the day on which it is asked for", async () => {
    const user = await createUser(service, "year")
    const issue = async (expires_at?: string) => {
      const json = { name: "ci", scopes: ["api"], expires_at }
      return (await service.request("POST", `/users/${user}/personal_access_tokens`, { json })).body
    }
    at("2043-03-01T23:59:59.999Z")
    expect(await issue()).toMatchObject({ expires_at: "2044-02-29" })
    expect(await issue("2044-03-01")).toEqual({ message: "Expires at must be before 2044-02-29" })
    at("2043-03-02T00:00:00.000Z")
    expect(await issue()).toMatchObject({ expires_at: "2044-03-01" })
    expect(await issue("2043-03-01")).toEqual({ message: "Expires at can't be in the past" })
  })

  it("that was rotated lasts a week", async () => {
    const user = await createUser(service, "week")
    at("2043-12-28T23:00:00Z")
    const { id } = await issueTokenFor(service, user)
    const { body } = await service.request("POST", `/personal_access_tokens/${id}/rotate`)
    expect(body).toMatchObject({ expires_at: "2044-01-04" })
  })
})

describe("use", () => {
  const events = async (stream: string, type: string) => {
    const all = await service.run(EventStore.use((store) => store.read(stream)))
    return all.filter((event) => event.type === type).map(({ data, metadata }) => ({ data, actor: metadata.actor }))
  }
  const activity = async (user: number) => field((await service.request("GET", `/users/${user}`)).body, "last_activity_on")
  const lastUse = async (id: number) =>
    field((await service.request("GET", `/personal_access_tokens/${id}`)).body, "last_used_at")

  it("is recorded once a day for token and user, however often they come", async () => {
    const user = await createUser(service, "active")
    const [one, other] = [await issueTokenFor(service, user), await issueTokenFor(service, user)]
    expect([await activity(user), await lastUse(one.id)]).toEqual([null, null])
    const sighting = (day: string) => ({ data: { day }, actor: `user:${user}` })
    const days = ["2050-01-01", "2050-01-02", "2050-01-05"]
    const use = async (token: string) => {
      await Promise.all(Array.from({ length: 25 }, () => service.request("GET", "/version", { token })))
    }

    for (const [index, day] of days.entries()) {
      at(`${day}T00:00:00Z`)
      await use(one.text)
      const expected = days.slice(0, index + 1).map(sighting)
      await expect.poll(() => activity(user)).toBe(day)
      await expect.poll(() => lastUse(one.id)).toBe(`${day}T00:00:00.000Z`)
      at(`${day}T23:59:59Z`)
      await use(one.text)
      expect(await events(`personalAccessToken-${one.id}`, "TokenUsed")).toEqual(expected)
      expect(await events(`user-${user}`, "UserWasActive")).toEqual(expected)
    }

    // The second token is used for the first time, by a user who was seen that day already.
    await use(other.text)
    await expect.poll(() => events(`personalAccessToken-${other.id}`, "TokenUsed")).toEqual([sighting("2050-01-05")])
    expect(await events(`user-${user}`, "UserWasActive")).toHaveLength(3)
    expect(await events(`personalAccessToken-${one.id}`, "TokenUsed")).toHaveLength(3)
  })

  it("is that of who holds the token, not of who is acted as", async () => {
    const user = await createUser(service, "assumed")
    at("2051-01-01T12:00:00Z")
    expect((await service.request("GET", "/user", { headers: { sudo: "assumed" } })).body).toMatchObject({ id: user })
    await expect.poll(() => activity(1)).toBe("2051-01-01")
    expect(await activity(user)).toBe(null)
  })

  it("is no change of the user", async () => {
    at("2052-01-01T12:00:00Z")
    const { text } = await issueTokenFor(service, await createUser(service, "unchanged"))
    at("2052-01-02T12:00:00Z")
    await createUser(service, "newest")
    at("2052-01-03T12:00:00Z")
    await service.request("GET", "/version", { token: text })
    const query = { order_by: "updated_at", per_page: "2" }
    const listed = async () => (await service.request("GET", "/users", { query })).body
    const expected = [{ username: "newest" }, { username: "unchanged", last_activity_on: "2052-01-03" }]
    await expect.poll(listed).toMatchObject(expected)
  })

  it.each(["unknown", "revoked", "blocked"])("of a token that is %s is not recorded", async (why) => {
    const user = await createUser(service, why)
    const { id, text } = await issueTokenFor(service, user)
    if (why === "revoked") await service.request("DELETE", `/personal_access_tokens/${id}`)
    if (why === "blocked") await service.request("POST", `/users/${user}/block`)
    const refused = await service.request("GET", "/version", { token: why === "unknown" ? `${text}x` : text })
    expect(refused.status).toBeOneOf([401, 403])
    // Sightings are recorded one after the other: when a later one is, an earlier one would be.
    const later = await issueTokenFor(service, await createUser(service, `later_${why}`))
    await service.request("GET", "/version", { token: later.text })
    await expect.poll(() => lastUse(later.id)).not.toBeNull()
    expect([await activity(user), await lastUse(id)]).toEqual([null, null])
  })
})
