import { Cron as Croner } from "croner"
import { dayMillis } from "../../kernel/units.ts"
import { holdsOn, skipWeeks } from "./dayRule.ts"
import type { Cron } from "./parseCron.ts"

const croners = new WeakMap<Cron, Croner>()

/**
 * croner is given local times as if they were UTC, and so never sees a change of offsets: what it makes of gaps and repeated hours is
 * not the rule here, and was wrong in several of its versions.
 */
const cronerOf = (cron: Cron): Croner => {
  const known = croners.get(cron)
  if (known !== undefined) return known
  const made = new Croner(cron.pattern, { mode: "6-part", utcOffset: 0, domAndDow: cron.days.needsBoth, paused: true })
  croners.set(cron, made)
  return made
}

/** 29 February is on a given weekday every 28 years, or 40 where a century has no leap day. */
const horizon = 100 * 366 * dayMillis

const ask = (cron: Cron, after: number): number | undefined => cronerOf(cron).nextRun(new Date(after))?.getTime()

/**
 * The first local time of `pattern` after another one. From late February croner (seen in 10.0.1) goes on to the 30th and 31st, takes
 * them for the first days of March, and loses what is before them: `0 0 1,31 * *` misses 1 March. So it is asked again at the end of each
 * February that it passed, if the rule holds on 1 or 2 March.
 */
const nextOfPattern = (cron: Cron, after: number): number | undefined => {
  let found = ask(cron, after)
  if (found === undefined) return undefined
  for (let year = new Date(after).getUTCFullYear(); Date.UTC(year, 2, 1) < found; year++) {
    const march = Date.UTC(year, 2, 1)
    const isLost = march > after && [march, march + dayMillis].some((day) => holdsOn(cron.days, day))
    if (isLost) found = Math.min(found, ask(cron, march - 1) ?? found)
  }
  return found
}

const endOfDay = (local: number): number => Math.floor(local / dayMillis + 1) * dayMillis - 1

/** The first local time of a cron text after another one; undefined if there is none within a hundred years. */
export const nextLocal = (cron: Cron, after: number): number | undefined => {
  const skip = (from: number): number => (cron.isExact ? from : skipWeeks(cron.days, from + 1) - 1)
  for (let from = skip(after); from < after + horizon; ) {
    const found = nextOfPattern(cron, from)
    if (found === undefined || cron.isExact || holdsOn(cron.days, found)) return found
    from = skip(endOfDay(found))
  }
  return undefined
}
