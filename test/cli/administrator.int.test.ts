import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { restoreAdministrator } from "#src/cli/administrator.ts"
import { handle } from "#src/platform/Commands.ts"
import { Projections } from "#src/platform/Projections.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import type { Command } from "#src/users/commands.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"

const service = useService()

/** Changes a user beside the interface, which keeps the last administrator. */
const change = (id: number, command: Command) =>
  service.run(
    Effect.gen(function* () {
      const { position } = yield* handle(userAggregate, id, command)
      yield* Projections.use((projections) => projections.awaitPosition(position))
    })
  )

const restore = (name: string) => service.run(Effect.match(restoreAdministrator(name), { onFailure: String, onSuccess: String }))

describe("administrator restore", () => {
  it("is refused as long as there is an administrator", async () => {
    assert.include(await restore("root"), "There is an administrator who may use the service")
  })

  it.each(["Block", "Ban"] as const)("lets an administrator in again where there is none: %s", async (_tag) => {
    await change(1, { _tag })
    assert.strictEqual((await service.request("GET", "/user")).status, 403)
    assert.include(await restore("nobody"), "There is no user nobody")
    assert.strictEqual(await restore("root"), "root")
    assert.strictEqual((await service.request("GET", "/users")).status, 200)
  })

  it("makes another user administrator where there is none", async () => {
    const id = await createUser(service, "ada")
    await change(1, { _tag: "Update", admin: false, changes: {} })
    assert.strictEqual(await restore("ada"), "ada")
    assert.include(await restore("root"), "There is an administrator")
    await change(1, { _tag: "Update", admin: true, changes: {} })
    assert.deepInclude(Object((await service.request("GET", `/users/${id}`)).body), { is_admin: true })
  })
})
