import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerOf, useService } from "#test/support/service.ts"

const service = useService()

it("the last administrator can neither be deleted, demoted nor shut out", async () => {
  await createUser(service, "ada")
  const blocked = await createUser(service, "grace", { admin: true })
  await service.request("POST", `/users/${blocked}/block`)
  const answer = async (method: string, path: string, json?: object) => answerOf(await service.request(method, path, { json }))
  const last = [409, { message: "User cannot be removed while is the last administrator" }]
  expect(await answer("DELETE", "/users/1")).toEqual(last)
  expect(await answer("DELETE", "/users/1?hard_delete=true")).toEqual(last)
  expect(await answer("PUT", "/users/1", { admin: false, name: "Nobody" })).toEqual([
    400,
    { message: { admin: ["cannot be taken from the last administrator"] } }
  ])
  expect(await answer("POST", "/users/1/deactivate")).toEqual([
    403,
    { message: "403 Forbidden - The last administrator cannot be deactivated" }
  ])
  expect((await service.request("GET", "/user")).body).toMatchObject({ name: "Administrator", is_admin: true, state: "active" })
  await service.request("POST", `/users/${blocked}/unblock`)
  expect((await service.request("PUT", "/users/1", { json: { admin: false } })).status).toBe(200)
  const { text } = await issueTokenFor(service, blocked, { scopes: ["api"] })
  expect((await service.request("PUT", "/users/1", { json: { admin: true }, token: text })).status).toBe(200)
})

it("one administrator stays, whatever they do to each other at once", async () => {
  const newAdministrator = async (name: string) => {
    const id = await createUser(service, name, { admin: true })
    const { text: token } = await issueTokenFor(service, id)
    return { id, ask: (method: string, path: string, json?: object) => service.request(method, path, { json, token }) }
  }
  const [one, two, three] = [await newAdministrator("one"), await newAdministrator("two"), await newAdministrator("three")]
  for (const id of [3, 1]) await one.ask("PUT", `/users/${id}`, { admin: false })
  await Promise.all([
    one.ask("DELETE", `/users/${two.id}`),
    two.ask("PUT", `/users/${three.id}`, { admin: false }),
    three.ask("POST", `/users/${one.id}/block`)
  ])
  const left = await Promise.all([one, two, three].map(({ ask }) => ask("GET", "/user")))
  expect(left.filter(({ status, body }) => status === 200 && field(body, "is_admin") === true).length).toBeGreaterThan(0)
})
