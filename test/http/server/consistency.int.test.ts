import { describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { holdUsers } from "#test/support/people/holdUsers.ts"
import { useService } from "#test/support/service.ts"

const service = useService()
const head = () => service.run(EventStore.use((store) => store.head))

/** Position of the last event that changed root's profile, other events being what the service notes by itself. */
const lastUpdate = () =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client<Array<{ position: number }>>`
          select position from chronoforge.events where stream = 'user-1' and metadata::jsonb ->> 'correlationId' not like 'system:%'
          order by position desc limit 1`
      )
    )
  )
const change = (note: string) => service.request("PUT", "/users/1", { json: { note } })
const readAt = (position: string) => service.request("GET", "/user", { headers: { "if-consistent-with": position } })

describe("X-Chronoforge-Position", () => {
  it("is that of the last event which the request wrote", async () => {
    const { headers, status } = await change("written")
    const [last] = await lastUpdate()
    expect([status, headers.get("x-chronoforge-position")]).toEqual([200, String(last?.position)])
  })

  it.each([
    ["a read", () => service.request("GET", "/user")],
    ["a write that changes nothing", () => change("written")],
    ["a refusal", () => service.request("PUT", "/users/1", { json: { note: {} } })]
  ])("is not told by %s", async (_, ask) => {
    expect((await ask()).headers.get("x-chronoforge-position")).toBeNull()
  })
})

describe("If-Consistent-With", () => {
  it("is answered at once when the position is shown", async () => {
    const { headers } = await change("seen")
    const answer = await readAt(headers.get("x-chronoforge-position") ?? "")
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ note: "seen" })])
  })

  it("waits for the position", async () => {
    const release = await holdUsers(service)
    const before = await head()
    const writing = change("awaited")
    await expect.poll(head).toBeGreaterThan(before)
    const stale = await service.request("GET", "/user")
    const reading = readAt(String(await head()))
    await release()
    const [answer] = await Promise.all([reading, writing])
    expect([stale.status, stale.body]).toEqual([200, expect.objectContaining({ note: "seen" })])
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ note: "awaited" })])
  })

  it("gives up after ten seconds, as the write does, which is accepted all the same", async () => {
    const release = await holdUsers(service)
    const before = await head()
    const writing = change("late")
    await expect.poll(head).toBeGreaterThan(before)
    const position = String(await head())
    const [read, write] = await Promise.all([readAt(position), writing])
    await release()
    const message = `503 Service Unavailable - position ${position} is not yet shown`
    expect([read.status, read.body, read.headers.get("retry-after")]).toEqual([503, { message }, "1"])
    const accepted = `503 Service Unavailable - the write is accepted at position ${position}, but not yet shown`
    expect([write.status, write.body, write.headers.get("retry-after")]).toEqual([503, { message: accepted }, "1"])
    expect((await readAt(position)).body).toMatchObject({ note: "late" })
  })

  it("is refused at once for a position that is not in the log: nobody can have been told it", async () => {
    const { body, status } = await readAt("999999999")
    const message = "400 Bad request - If-Consistent-With names a position that the log does not have"
    expect([status, body]).toEqual([400, { message }])
  })

  it.each(["", "x", "-1", "1.5", "0x10", "1e3", "9".repeat(16)])("%j is no position", async (position) => {
    const { body, status } = await readAt(position)
    expect([status, body]).toEqual([400, { message: "400 Bad request - If-Consistent-With is not a position" }])
  })

  it("is looked at before the token, which may be just as new", async () => {
    const answer = await service.request("GET", "/user", { token: null, headers: { "if-consistent-with": "x" } })
    expect(answer.status).toBe(400)
  })
})
