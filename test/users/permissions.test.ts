import { describe, expect, it } from "vitest"
import type { Caller, UserRow } from "#src/http/access/Caller.ts"
import { mayAdminister, mayBlock, mayList } from "#src/users/permissions.ts"
import { accountRefusal } from "#src/users/Users.ts"
import { userRow } from "./rows.ts"

const caller = (user: Partial<UserRow>): Caller => ({ user: { ...userRow, ...user }, tokenId: 1, scopes: ["api"] })
const callers = { anonymous: undefined, user: caller({ id: 7 }), administrator: caller({ id: 1, admin: true }) }

it.each([
  ["anonymous", false],
  ["user", false],
  ["administrator", true]
] as const)("%s administers users: %s", (who, expected) => {
  expect(mayAdminister(callers[who])).toBe(expected)
})

it.each([
  ["anonymous", undefined, false],
  ["anonymous", "", false],
  ["anonymous", null, false],
  ["anonymous", "ada", true],
  ["user", undefined, true],
  ["administrator", undefined, true]
] as const)("%s lists users with username %j: %s", (who, username, expected) => {
  expect(mayList(callers[who], username)).toBe(expected)
})

describe("administrators", () => {
  it("block others, but not themselves", () => {
    expect([mayBlock(callers.administrator, 7), mayBlock(callers.administrator, 1)]).toEqual([true, false])
  })
})

it.each([
  ["active", undefined],
  ["blocked", "Your account has been blocked."],
  ["banned", "Your account has been banned."],
  ["deactivated", "Your account has been deactivated by your administrator."]
] as const)("a user who is %s hears: %s", (state, expected) => {
  expect(accountRefusal({ state })).toBe(expected)
})
