import { afterAll, beforeAll, vi } from "vitest"
import { anyId, anyTime } from "#test/support/exactly.ts"

const dayMillis = 86_400_000

/** Lets the calendar stand still for the calling file, so that none of its tests runs over midnight. */
export const stopCalendar = (): void => {
  const now = Date.now()
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now }))
  afterAll(() => void vi.useRealTimers())
}

/** `YYYY-MM-DD`, so many days from today, UTC. */
export const inDays = (days: number): string => new Date(Date.now() + days * dayMillis).toISOString().slice(0, 10)

/** The whole body of a token of a user, written down from the reference: keys and their order. */
export const tokenBody = (userId: number, differences: Readonly<Record<string, unknown>> = {}) => ({
  id: anyId,
  name: "ci",
  revoked: false,
  created_at: anyTime,
  scopes: ["api"],
  user_id: userId,
  last_used_at: null,
  active: true,
  expires_at: inDays(365),
  ...differences
})

export const revoked = {
  error: "invalid_token",
  error_description: "Token was revoked. You have to re-authorize from the user."
}
export const expired = {
  error: "invalid_token",
  error_description: "Token is expired. You can either do re-authorization or token refresh."
}
