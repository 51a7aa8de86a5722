import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { useGroups } from "../groups/useGroups.ts"

const { service, create, createWithMembers, joinUntil, newPath, userId } = useGroups()

it("made anew from the log the read model is what it was, and redirects lead where they led", async () => {
  const path = newPath()
  const top = await createWithMembers(path, { visibility: "public" })
  const inner = await create("inner", { parent_id: top })
  await joinUntil(inner, userId("guest"), 10, "2001-01-01")
  const gone = await createUser(service, "gone")
  await service.request("POST", `/groups/${inner}/members`, { json: { user_id: gone, access_level: 30 } })
  await service.request("DELETE", `/users/${gone}`)
  await service.request("PUT", `/groups/${top}`, { json: { path: newPath(), name: "Renamed", default_branch_protection: 3 } })
  await service.request("PUT", `/groups/${inner}/members/1`, { json: { access_level: 50, expires_at: null } })
  await service.request("DELETE", `/groups/${await create("doomed", { parent_id: inner })}`)
  await service.request("PUT", `/users/${userId("owner")}`, { json: { username: "former-owner", name: "New name" } })
  const read = async () =>
    Promise.all(
      [`/groups/${top}`, `/groups/${path}%2Finner`, `/groups/${top}/members`, "/namespaces", "/namespaces/owner"].map(
        async (each) => [each, (await service.request("GET", each)).body]
      )
    )
  const before = await read()

  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["namespaces", "users"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect(await read()).toEqual(before)
  // Ids that the log gave away are not given again.
  expect(Number(field((await service.request("GET", `/groups/${await create(newPath())}`)).body, "id"))).toBeGreaterThan(inner)
})
