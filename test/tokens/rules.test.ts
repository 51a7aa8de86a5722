import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { expiryError, isExpired, latestExpiry, rotatedExpiry } from "#src/tokens/expiry.ts"
import { newTokenText, tokenDigest } from "#src/tokens/issue/secret.ts"
import { mayManageTokensOf } from "#src/tokens/permissions.ts"
import { personalAccessToken } from "#src/tokens/present.ts"
import { userRow } from "../users/rows.ts"

/** 2024-06-30T23:59:59.999Z */
const now = Date.UTC(2024, 5, 30, 23, 59, 59, 999)

it("dates that are given by default", () => {
  expect([latestExpiry(now), rotatedExpiry(now)]).toEqual(["2025-06-30", "2024-07-07"])
})

it.each([
  ["2024-06-29", "Expires at can't be in the past"],
  ["2024-06-30", undefined],
  ["2025-06-30", undefined],
  ["2025-07-01", "Expires at must be before 2025-06-30"]
])("%s asked for on 2024-06-30: %s", (date, expected) => {
  expect(expiryError(date, now)).toBe(expected)
})

it.each([
  [null, false],
  ["2024-06-29", true],
  ["2024-06-30", true],
  ["2024-07-01", false]
])("a token until %s is refused on 2024-06-30: %s", (date, expected) => {
  expect(isExpired(date, "2024-06-30")).toBe(expected)
})

const row = {
  id: 3,
  user_id: 7,
  name: "ci",
  scopes: ["api"],
  created_at: 1_719_748_800_000,
  updated_at: Date.parse("2024-06-30T12:00:00Z"),
  last_used_at: null,
  expires_at: "2024-07-01",
  revoked: false
}

it("shows exactly these keys in this order", () => {
  expect(JSON.stringify(personalAccessToken(row, "2024-06-30"))).toBe(
    `{"id":3,"name":"ci","revoked":false,"created_at":"2024-06-30T12:00:00.000Z","scopes":["api"],"user_id":7,"last_used_at":null,"active":true,"expires_at":"2024-07-01"}`
  )
})

it.each([
  [false, "2024-07-01", true],
  [false, null, true],
  [false, "2024-06-30", false],
  [true, "2024-07-01", false]
])("revoked %s, until %s: active %s", (revoked, expires_at, expected) => {
  expect(personalAccessToken({ ...row, revoked, expires_at }, "2024-06-30").active).toBe(expected)
})

it("a text is 20 new characters that are safe in URLs", () => {
  const texts = Array.from({ length: 100 }, newTokenText)
  expect(texts.filter((text) => !/^glpat-[\w-]{20}$/.test(text))).toEqual([])
  expect(new Set(texts).size).toBe(100)
})

it("a digest is SHA-256", () => {
  expect(tokenDigest("glpat-x")).toEqual(createHash("sha256").update("glpat-x").digest())
})

it.each([
  [7, false, true],
  [8, false, false],
  [8, true, true]
])("user %i, administrator %s, manages tokens of user 7: %s", (id, admin, expected) => {
  expect(mayManageTokensOf({ user: { ...userRow, id, admin }, tokenId: 1, scopes: [] }, 7)).toBe(expected)
})
