import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { emailTaken, usernameTaken } from "#test/support/rows.ts"
import { useService } from "#test/support/service.ts"
import { account } from "./bodies.ts"

const service = useService()

const post = async (json: object) => {
  const { body, status } = await service.request("POST", "/users", { json })
  return [status, body]
}
const put = async (id: number, json: object) => {
  const { body, status } = await service.request("PUT", `/users/${id}`, { json })
  return [status, body]
}
const total = async (query: Readonly<Record<string, string>>) =>
  (await service.request("GET", "/users", { query })).headers.get("x-total")

/** The same letters, each time some others of them capital. */
const inCase = (text: string, mask: number): string =>
  [...text].map((letter, place) => (mask & (1 << place) ? letter.toUpperCase() : letter)).join("")

describe("of many who want a name at once, one gets it", () => {
  const many = Array.from({ length: 20 }, (_, index) => index)
  const outcome = async (answers: ReadonlyArray<Promise<ReadonlyArray<unknown>>>) => {
    const all = await Promise.all(answers)
    return { created: all.filter(([status]) => status === 201).length, refused: all.filter(([status]) => status !== 201) }
  }

  it("a user name, whatever its letter case", async () => {
    const attempts = many.map((n) => post(account(inCase("wanted", n), { email: `wanted${n}@example.com` })))
    const expected = { created: 1, refused: Array.from({ length: 19 }, () => [409, usernameTaken]) }
    expect(await outcome(attempts)).toEqual(expected)
    expect(await total({ username: "wanted" })).toBe("1")
  })

  it("an address, whatever its letter case", async () => {
    const attempts = many.map((n) => post(account(`owner${n}`, { email: `${inCase("shared", n)}@example.com` })))
    const expected = { created: 1, refused: Array.from({ length: 19 }, () => [409, emailTaken]) }
    expect(await outcome(attempts)).toEqual(expected)
    expect(await total({ search: "shared@example.com" })).toBe("1")
  })

  it("an identity", async () => {
    const identity = { provider: "ldap", extern_uid: "one" }
    const attempts = many.map((n) => post(account(`identified${n}`, identity)))
    const refusal = [400, { message: { "identities.extern_uid": ["has already been taken"] } }]
    expect(await outcome(attempts)).toEqual({ created: 1, refused: Array.from({ length: 19 }, () => refusal) })
  })

  it("a name by renaming: the others keep theirs", async () => {
    const ids: Array<number> = []
    for (const n of many.slice(0, 6)) ids.push(await createUser(service, `racer${n}`))
    const statuses = (await Promise.all(ids.map((id) => put(id, { username: "prize" })))).map(([status]) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await total({ username: "prize" })).toBe("1")
    expect(await total({ search: "racer" })).toBe("6")
  })

  it("those who came too late may have what they asked for besides", async () => {
    const attempts = many.slice(0, 4).map((n) => post(account("late", { email: `late${n}@example.com` })))
    await outcome(attempts)
    const again = await Promise.all(many.slice(0, 4).map((n) => post(account(`again${n}`, { email: `late${n}@example.com` }))))
    expect(again.map(([status]) => status).toSorted()).toEqual([201, 201, 201, 409])
  })
})

describe("a name that is given up is free at once", () => {
  it("by renaming", async () => {
    const id = await createUser(service, "before")
    expect(await put(id, { username: "after", email: "after@example.com" })).toMatchObject([200, { username: "after" }])
    expect(await post(account("BEFORE"))).toMatchObject([201, { username: "BEFORE", email: "before@example.com" }])
    expect(await put(id, { username: "before" })).toEqual([409, usernameTaken])
    expect(await post(account("other", { email: "AFTER@example.com" }))).toEqual([409, emailTaken])
  })

  it("two users swap names through a third one", async () => {
    const [left, right] = [await createUser(service, "left"), await createUser(service, "right")]
    expect(await put(left, { username: "right" })).toEqual([409, usernameTaken])
    for (const [id, username] of [
      [left, "third"],
      [right, "left"],
      [left, "right"]
    ] as const) {
      expect(await put(id, { username })).toMatchObject([200, { id, username }])
    }
  })

  it("by deletion", async () => {
    const identity = { provider: "ldap", extern_uid: "deleted" }
    const id = await createUser(service, "deleted", identity)
    await service.request("DELETE", `/users/${id}`)
    expect(await post(account("deleted", identity))).toMatchObject([201, { username: "deleted" }])
  })

  it("not by a change of letter case, which the owner alone may make", async () => {
    const id = await createUser(service, "keeper")
    const changed = await put(id, { username: "Keeper", email: "KEEPER@Example.com" })
    expect(changed).toMatchObject([200, { username: "Keeper", email: "keeper@example.com" }])
    expect(await post(account("keeper", { email: "x@example.com" }))).toEqual([409, usernameTaken])
  })
})

describe("a change is", () => {
  let id = 0
  const history = async (): Promise<ReadonlyArray<readonly [string, unknown]>> => {
    const events = await service.run(EventStore.use((store) => store.read(`user-${id}`)))
    return events.map(({ data, type }) => [type, data])
  }
  beforeAll(async () => {
    id = await createUser(service, "told", { location: "Turin" })
  })

  it("kept as what happened", async () => {
    const email = "renamed@example.com"
    await put(id, { username: "renamed", email, admin: true, bio: "b", location: null, provider: "ldap", extern_uid: "9" })
    expect((await history()).slice(1)).toEqual([
      ["UserRenamed", { from: "told", to: "renamed" }],
      ["UserEmailChanged", { from: "told@example.com", to: email }],
      ["AdministratorGranted", {}],
      ["UserProfileChanged", { changes: { bio: "b", location: null, identities: [{ provider: "ldap", externUid: "9" }] } }]
    ])
  })

  it("not kept when it changes nothing", async () => {
    const [before, shown] = [await history(), await put(id, {})]
    expect(await put(id, { username: "renamed", bio: "b", admin: true, provider: "ldap", extern_uid: "9" })).toEqual(shown)
    expect(await history()).toEqual(before)
  })
})
