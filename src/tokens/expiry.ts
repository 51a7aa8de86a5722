import { isoDate } from "../http/answer/jsonTimes.ts"
import { dayMillis } from "../kernel/units.ts"

const maxDays = 365
const rotatedDays = 7

/** Whether a token with this date is refused on a day. It ends with the midnight, UTC, that begins its date. */
export const isExpired = (expiresAt: string | null, today: string): boolean => expiresAt !== null && expiresAt <= today

/** The latest date that a token may be given, which is also what it gets when none is asked for. */
export const latestExpiry = (now: number): string => isoDate(now + maxDays * dayMillis)

/** What a rotated token gets when no date is asked for. */
export const rotatedExpiry = (now: number): string => isoDate(now + rotatedDays * dayMillis)

/**
 * What is wrong with a date; undefined if nothing is.
 * Gap: the reference service takes past dates. Here they are refused as mistakes, but today is taken, which gives a token
 * that has expired already.
 */
export const expiryError = (expiresAt: string, now: number): string | undefined => {
  if (expiresAt < isoDate(now)) return "Expires at can't be in the past"
  const latest = latestExpiry(now)
  return expiresAt > latest ? `Expires at must be before ${latest}` : undefined
}
