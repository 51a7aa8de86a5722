import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { pathName } from "#src/groups/Groups.ts"
import { groupStream } from "#src/groups/ids.ts"
import { uuidOf } from "#src/kernel/uuid.ts"
import { handle } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { type Name, reserve } from "#src/platform/Reservations.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { userStream } from "#src/users/ids.ts"
import { field } from "#test/support/exactly.ts"
import { useGroups } from "./useGroups.ts"

const { service, create, newPath } = useGroups()

const never = () => Effect.succeed(true)
const reserveFor = (name: Name, owner: string) => service.run(Effect.orDie(reserve(name, owner, never)))
const streamOf = ({ kind, text }: Name) => `reservation-${kind}-${uuidOf(text)}`

/** Replaces the reservation of a name by an older one, so that it can be taken over if nobody holds the name. */
const age = (name: Name) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`update chronoforge.events set data = jsonb_set(data::jsonb, '{at}', '0')::text, hash = sha256(hash)
          where stream = ${streamOf(name)} and type = 'NameReserved'`
      )
    ).pipe(Effect.asVoid)
  )

const post = (path: string, more: object = {}) => service.request("POST", "/groups", { json: { name: path, path, ...more } })
const account = (username: string) => ({
  json: { username, name: username, email: `${username}@example.com`, force_random_password: true }
})

describe("a path", () => {
  it("is one group's when two ask for it at once", async () => {
    const path = newPath()
    const both = await Promise.all([post(path), post(path.toUpperCase()), service.request("POST", "/users", account(path))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([
      201,
      400,
      expect.toSatisfy((code) => code === 400 || code === 409)
    ])
  })

  it("is held by nobody after the group was refused, renamed or deleted", async () => {
    const path = newPath()
    expect((await post(path, { description: "d".repeat(501) })).status).toBe(400)
    const id = await create(path)
    await service.request("PUT", `/groups/${id}`, { json: { path: `${path}-new` } })
    const next = await create(path)
    expect((await post(`${path}-new`)).status).toBe(400)
    await service.request("DELETE", `/groups/${next}`)
    expect((await service.request("POST", "/users", account(path))).status).toBe(201)
  })

  it.each([
    ["a group that was never made", groupStream(999_999)],
    ["a user who was never made", userStream(999_999)]
  ])("reserved for %s can be taken over after half a minute", async (_, owner) => {
    const [path, parent_id] = [newPath(), await create(newPath())]
    for (const [name, parent] of [
      [pathName(null, path), null],
      [pathName(parent_id, path), parent_id]
    ] as const) {
      await reserveFor(name, owner)
      expect((await post(path, { parent_id: parent })).status).toBe(400)
      await age(name)
      expect((await post(path, { parent_id: parent })).status).toBe(201)
    }
  })

  it("reserved for a group that was never made can be taken over by a user", async () => {
    const name = newPath()
    await reserveFor(pathName(null, name), groupStream(999_998))
    expect((await service.request("POST", "/users", account(name))).status).toBe(400)
    await age(pathName(null, name))
    expect((await service.request("POST", "/users", account(name))).status).toBe(201)
  })

  it("that a group or user has is not taken over however old its reservation is", async () => {
    const path = newPath()
    await create(path)
    await age(pathName(null, path))
    await age(pathName(null, "owner"))
    expect((await service.request("POST", "/users", account(path))).status).toBe(400)
    expect((await post("owner")).status).toBe(400)
  })

  it("whose release a crash prevented can be taken over", async () => {
    const path = newPath()
    const id = await create(path)
    await service.run(Effect.orDie(handle(groupAggregate, id, { _tag: "Delete" })))
    await age(pathName(null, path))
    await expect.poll(async () => (await service.request("GET", `/groups/${id}`)).status).toBe(404)
    expect((await post(path)).status).toBe(201)
  })
})

it("a group that was made while its parent was deleted goes with it", async () => {
  const parent_id = await create(newPath())
  const path = newPath()
  const [made] = await Promise.all([post(path, { parent_id }), service.request("DELETE", `/groups/${parent_id}`)])
  const id = field(made.body, "id")
  if (id !== undefined) expect((await service.request("GET", `/groups/${id}`)).status).toBe(404)
  const held = await service.run(
    Effect.map(
      EventStore.use((store) => store.read(streamOf(pathName(parent_id, path)))),
      (events) =>
        events.filter(({ type }) => type === "NameReserved").length - events.filter(({ type }) => type === "NameReleased").length
    )
  )
  expect(held).toBe(0)
})
