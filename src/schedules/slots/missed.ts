import { nextRun, type Timing } from "../cron/nextRun.ts"
import type { Slot } from "../cron/nextSlot.ts"
import { type Span, slotsBetween } from "../cron/slotsBetween.ts"

/** What becomes of slots that nobody started in time: the last one runs, none does, or as many as there may be. */
export const missedPolicies = ["run_latest", "skip", "run_all"] as const
export type MissedPolicy = (typeof missedPolicies)[number]

/** What is to be done with slots that are due. */
export interface DueSlots {
  readonly skipped: ReadonlyArray<Slot>
  /** Whether more than these were skipped. */
  readonly isCutShort: boolean
  /** The last one that was skipped, where more than these were. */
  readonly lastSkipped?: Slot
  /** The slots that run, in order of time. */
  readonly started: ReadonlyArray<Slot>
  /** The slot after now; undefined where there is none. */
  readonly next: Slot | undefined
}

/** A slot that is started later counts as missed, in milliseconds. */
const graceMillis = 60_000
/** So many slots are named when they are skipped: finding more would keep others waiting. */
const maxNamed = 500
/** So many slots of one schedule run, the last ones, where all are to run. */
const maxRun = 100

/**
 * The last of the slots in a span, at most so many. The time that is searched grows from its end until there are enough, and is halved
 * where there are too many to look at.
 */
function* lastSlots(timing: Timing, { from: first, to }: Span, count: number): Generator<void, ReadonlyArray<Slot>, void> {
  let [tooLate, tooEarly]: [number, number | undefined] = [to, undefined]
  for (let from = Math.max(first, to - 60_000); ; ) {
    const { hasMore, slots } = yield* slotsBetween(timing, { from, to }, 4 * count)
    if (!hasMore && (slots.length >= count || from === first)) return slots.slice(-count)
    if (hasMore) tooEarly = from
    else tooLate = from
    from = tooEarly === undefined ? Math.max(first, 2 * from - to) : Math.floor((tooEarly + tooLate) / 2)
  }
}

/** Also `none`: where nothing may run. */
type Policy = MissedPolicy | "none"

/** Which of the last slots until now run. */
const running = (last: ReadonlyArray<Slot>, now: number, policy: Policy): ReadonlyArray<Slot> =>
  policy === "none" ? [] : last.filter(({ at }) => policy !== "skip" || now - at <= graceMillis)

/**
 * What becomes of the slots of a schedule from `first`, which is due, to now; times are milliseconds since 1970. It pauses where many were
 * missed.
 */
export function* dueSlots(timing: Timing, first: number, now: number, policy: Policy): Generator<void, DueSlots, void> {
  const span = { from: first - 1, to: now }
  const earliest = nextRun(timing, span.from)
  if (earliest === undefined || earliest.at > now) return { skipped: [], isCutShort: false, started: [], next: earliest }
  const second = nextRun(timing, earliest.at)
  // Mostly only one is due.
  if (second === undefined || second.at > now) {
    const started = running([earliest], now, policy)
    return { skipped: started.length === 0 ? [earliest] : [], isCutShort: false, started, next: second }
  }
  const started = running(yield* lastSlots(timing, span, policy === "run_all" ? maxRun : 1), now, policy)
  const until = started[0]?.at ?? now + 1
  const { hasMore, slots } = yield* slotsBetween(timing, { from: span.from, to: until - 1 }, maxNamed)
  const due = { skipped: slots, isCutShort: hasMore, started, next: nextRun(timing, now) }
  const [lastSkipped] = hasMore ? yield* lastSlots(timing, { from: span.from, to: until - 1 }, 1) : []
  return lastSkipped === undefined ? due : { ...due, lastSkipped }
}
