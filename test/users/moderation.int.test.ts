import { beforeAll, describe, expect, it } from "vitest"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { noRoute, notAdministrator, type Row, rowChecker, unauthorized, unknownUser } from "#test/support/rows.ts"
import { type Sent, useService } from "#test/support/service.ts"

const service = useService()
const actions = ["block", "unblock", "deactivate", "activate", "ban", "unban"] as const
type Action = (typeof actions)[number]
type Answer = readonly [status: number, body: unknown]

const answer = async (method: string, path: string, sent?: Sent): Promise<Answer> => {
  const { body, status } = await service.request(method, path, sent)
  return [status, body]
}
const changed: Answer = [201, true]
const forbidden = (message: string): Answer => [403, { message }]
const cannotActivate = forbidden("403 Forbidden - A blocked user must be unblocked to be activated")
const cannotDeactivate = forbidden("Error occurred. A blocked user cannot be deactivated")
const cannotUnblock = forbidden("403 Forbidden - Deactivated users cannot be unblocked by the API")
const cannot = (what: string): Answer => forbidden(`You cannot ${what} users.`)

/** How to get from active to a state. */
const ways = { active: [], blocked: ["block"], deactivated: ["deactivate"], banned: ["ban"] } as const
type State = keyof typeof ways

const table: Record<State, Record<Action, readonly [Answer, State]>> = {
  active: {
    block: [changed, "blocked"],
    unblock: [[201, false], "active"],
    deactivate: [changed, "deactivated"],
    activate: [[201, false], "active"],
    ban: [changed, "banned"],
    unban: [cannot("unban active"), "active"]
  },
  blocked: {
    block: [[201, null], "blocked"],
    unblock: [changed, "active"],
    deactivate: [cannotDeactivate, "blocked"],
    activate: [cannotActivate, "blocked"],
    ban: [cannot("ban blocked"), "blocked"],
    unban: [cannot("unban blocked"), "blocked"]
  },
  deactivated: {
    block: [changed, "blocked"],
    unblock: [cannotUnblock, "deactivated"],
    deactivate: [[201, null], "deactivated"],
    activate: [changed, "active"],
    ban: [cannot("ban deactivated"), "deactivated"],
    unban: [cannot("unban deactivated"), "deactivated"]
  },
  banned: {
    block: [[201, null], "banned"],
    unblock: [[201, false], "banned"],
    deactivate: [cannotDeactivate, "banned"],
    activate: [cannotActivate, "banned"],
    ban: [cannot("ban banned"), "banned"],
    unban: [changed, "active"]
  }
}

const states: ReadonlyArray<State> = ["active", "blocked", "deactivated", "banned"]

describe.each(states)("a user who is %s", (state) => {
  it.each(actions)("%s", async (action) => {
    const id = await createUser(service, `${state}_${action}`)
    for (const step of ways[state]) await service.request("POST", `/users/${id}/${step}`)
    const [expected, next] = table[state][action]
    expect(await answer("POST", `/users/${id}/${action}`)).toEqual(expected)
    expect(await answer("GET", `/users/${id}`)).toEqual([200, expect.objectContaining({ state: next })])
  })
})

describe("a token is worth what its user is", () => {
  const refusals: ReadonlyArray<readonly [Action, Action, string]> = [
    ["block", "unblock", "403 Forbidden - Your account has been blocked."],
    ["ban", "unban", "403 Forbidden - Your account has been banned."],
    ["deactivate", "activate", "403 Forbidden - Your account has been deactivated by your administrator."]
  ]
  it.each(refusals)("refused from the next request after %s, taken after %s", async (out, back, message) => {
    const id = await createUser(service, `user_${out}`)
    const { text: token } = await issueTokenFor(service, id)
    await service.request("POST", `/users/${id}/${out}`)
    expect(await answer("GET", "/user", { token })).toEqual(forbidden(message))
    expect(await answer("GET", "/users", { token, query: { username: "root" } })).toEqual(forbidden(message))
    await service.request("POST", `/users/${id}/${back}`)
    expect(await answer("GET", "/user", { token })).toEqual([200, expect.objectContaining({ id, state: "active" })])
  })
})

it("who was active of late is not deactivated", async () => {
  const id = await createUser(service, "busy")
  const { text: token } = await issueTokenFor(service, id)
  await service.request("GET", "/version", { token })
  await expect
    .poll(() => answer("GET", "/user", { token }))
    .toEqual([200, expect.objectContaining({ last_activity_on: expect.any(String) })])
  expect(await answer("POST", `/users/${id}/deactivate`)).toEqual(
    forbidden("The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated")
  )
})

describe.each(actions)("%s refuses", (action) => {
  let token = ""
  beforeAll(async () => {
    token = (await issueTokenFor(service, await createUser(service, `caller_${action}`))).text
  })
  const rows: ReadonlyArray<Row> = [
    { given: "nobody", request: () => ["POST", `/users/1/${action}`, { token: null }], status: 401, body: unauthorized },
    { given: "others", request: () => ["POST", `/users/1/${action}`, { token }], status: 403, body: notAdministrator },
    { given: "others, of nobody", request: () => ["POST", `/users/0/${action}`, { token }], status: 403, body: notAdministrator },
    { given: "an unknown user", request: () => ["POST", `/users/0/${action}`], status: 404, body: unknownUser },
    { given: "a name in the path", request: () => ["POST", `/users/root/${action}`], status: 404, body: noRoute }
  ]
  it.each(rows)("$given", rowChecker(service))
})

it.each([
  ["block", "blocked"],
  ["ban", "banned"]
])("%s does not shut out who asks", async (action, done) => {
  expect(await answer("POST", `/users/1/${action}`)).toEqual(
    forbidden(`403 Forbidden - The API initiating user cannot be ${done} by the API`)
  )
})
