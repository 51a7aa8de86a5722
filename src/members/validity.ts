import { Clock, Effect } from "effect"
import { invalidRecord } from "../http/answer/errors.ts"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { defined } from "../kernel/defined.ts"
import { levelName } from "./levels.ts"
import type { MemberSource } from "./MemberSource.ts"

/** The day is written `YYYY-MM-DD`, in UTC. */
export const today = Effect.map(Clock.currentTimeMillis, isoDate)

/** A requested membership of a user in a group or project. */
export interface MembershipInput {
  readonly id: number
  readonly userId: number
  /** It is null where none was given. */
  readonly accessLevel: number | null
  readonly expiresAt: string | null
}

const levelFaults = Effect.fnUntraced(function* <R>(source: MemberSource<R>, { id, userId, accessLevel }: MembershipInput) {
  const inherited = yield* Effect.flatMap(source.questions, (questions) => questions.inherited(id, userId))
  const faults = accessLevel !== null && source.levels.includes(accessLevel) ? [] : ["is not included in the list"]
  if (inherited === undefined || (accessLevel !== null && accessLevel >= inherited.access_level)) return faults
  const { access_level, group_name } = inherited
  // Gap: not shown; the reference's text for a level below what the user has from above.
  const tooLow = `should be greater than or equal to ${levelName(access_level)} inherited membership from group ${group_name}`
  return [...faults, tooLow]
})

const pastDate = ["cannot be a date in the past"]

/** Refuses a date that has begun: what ends then has ended. */
export const requireFuture = Effect.fnUntraced(function* (expiresAt: string | null) {
  if (expiresAt !== null && expiresAt <= (yield* today)) return yield* invalidRecord({ expires_at: pastDate })
})

/** The access level of a requested membership. Refuses it with everything that is wrong with it: texts by attribute. */
export const requireValid = Effect.fnUntraced(function* <R>(source: MemberSource<R>, input: MembershipInput) {
  const ofLevel = yield* levelFaults(source, input)
  const isPast = input.expiresAt !== null && input.expiresAt <= (yield* today)
  if (input.accessLevel !== null && ofLevel.length === 0 && !isPast) return input.accessLevel
  return yield* invalidRecord(
    defined({ access_level: ofLevel.length === 0 ? undefined : ofLevel, expires_at: isPast ? pastDate : undefined })
  )
})
