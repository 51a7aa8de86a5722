import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { nextId } from "#src/platform/Ids.ts"
import { Projections } from "#src/platform/Projections.ts"
import { userCodec } from "#src/users/events.ts"
import { giveNamespaces } from "#src/users/lifecycle/giveNamespaces.ts"
import { defaultProfile } from "#src/users/profile.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { noRoute } from "#test/support/rows.ts"
import { useService } from "#test/support/service.ts"

const service = useService()
const read = async (path: string) => (await service.request("GET", path)).body

/** A user as logs had them before there were namespaces. */
const olderUser = (username: string): Promise<number> =>
  service.run(
    Effect.gen(function* () {
      const id = yield* nextId("user")
      const rights = { admin: false, confirmed: true, createdBy: null, profile: defaultProfile(username) }
      const event = userCodec.encode({ _tag: "UserCreated", username, email: `${username}@example.com`, ...rights })
      const metadata = { actor: "user:1", commandId: uuidV7(), correlationId: "older" }
      const store = yield* EventStore
      const { position } = yield* Effect.orDie(store.append(`user-${id}`, "noStream", [{ ...event, id: uuidV7(), metadata }]))
      yield* Projections.use((projections) => projections.awaitPosition(position))
      return id
    })
  )

const give = () =>
  service.run(Effect.tap(giveNamespaces(), (position) => Projections.use((projections) => projections.awaitPosition(position))))

describe("the namespace of a user", () => {
  it("is there from the start, for root too", async () => {
    expect(await read("/users/1")).toMatchObject({ namespace_id: 1 })
    const id = await createUser(service, "ada")
    const namespace = field(await read(`/users/${id}`), "namespace_id")
    expect(await read("/namespaces/ada")).toMatchObject({ id: namespace, kind: "user", name: "ada" })
    await service.request("PUT", `/users/${id}`, { json: { name: "Ada L" } })
    expect(await read(`/namespaces/${namespace}`)).toMatchObject({ name: "Ada L" })
    await service.request("DELETE", `/users/${id}`)
    expect(await read(`/namespaces/${namespace}`)).toEqual({ message: "404 Namespace Not Found" })
  })

  it("is given to users of older logs by a start, once", async () => {
    const [one, two] = [await olderUser("older"), await olderUser("oldest")]
    expect(await read(`/users/${one}`)).toMatchObject({ namespace_id: null })
    expect(await read("/namespaces/older")).toEqual({ message: "404 Namespace Not Found" })
    expect(await give()).toBeGreaterThan(0)
    const given = [await read(`/users/${one}`), await read(`/users/${two}`)].map((body) => field(body, "namespace_id"))
    expect(given).toEqual([expect.any(Number), expect.any(Number)])
    expect(new Set(given).size).toBe(2)
    expect(await read("/namespaces/older")).toMatchObject({ id: given[0], full_path: "older" })
    expect(await give()).toBe(0)
    expect(await read(`/users/${one}`)).toMatchObject({ namespace_id: given[0] })
  })

  it("goes with its projects when the user is deleted", async () => {
    const id = await createUser(service, "leaving")
    const { text: token } = await issueTokenFor(service, id)
    const project = field((await service.request("POST", "/projects", { token, json: { name: "mine" } })).body, "id")
    expect(await read(`/projects/${project}`)).toMatchObject({ path_with_namespace: "leaving/mine" })
    expect((await service.request("DELETE", `/users/${id}`)).status).toBe(204)
    expect(await read(`/projects/${project}`)).toEqual({ message: "404 Project Not Found" })
  })
})

describe("a path of users without a number", () => {
  const paths = ["/users/abc", "/users/1a", "/users/-1", "/users/abc/block"]
  it.each(paths)("%s is none, whoever asks", async (path) => {
    const { text: token } = await issueTokenFor(service, 1, { scopes: ["read_user"] })
    for (const sent of [{}, { token: null }, { token: "glpat-nobody-has-this-00" }, { token }]) {
      for (const method of ["GET", "PUT", "POST", "DELETE"]) {
        expect(await service.request(method, path, sent)).toMatchObject({ status: 404, body: noRoute })
      }
    }
  })
})
