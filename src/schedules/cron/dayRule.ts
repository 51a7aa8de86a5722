import { dayMillis } from "../../kernel/units.ts"
import type { Values } from "./values.ts"
import type { Weekday } from "./weekdays.ts"

/** On which days of its months something happens. */
export interface DayRule {
  /** Below zero from the end of the month: -1 is its last day. */
  readonly days: Values
  readonly weekdays: ReadonlyArray<Weekday> | "any"
  /** Where both are limited: whether a day must be in both, or one is enough. */
  readonly needsBoth: boolean
}

/** A day as rules look at it; `week` is missing where all weeks are meant. */
interface Day {
  readonly day: number
  readonly daysInMonth: number
  readonly weekday: number
  readonly week?: number
}

const isNth = (nth: number, { day, daysInMonth }: Day): boolean =>
  nth === (nth > 0 ? Math.ceil(day / 7) : -Math.ceil((daysInMonth - day + 1) / 7))

const isOnWeekday = (on: Day, { day, nth, weeks }: Weekday): boolean => {
  if (on.weekday !== day) return false
  if (nth !== undefined) return isNth(nth, on)
  if (weeks === undefined || on.week === undefined) return true
  return (on.week - weeks.offset) % weeks.every === 0
}

const isOn = ({ days, weekdays, needsBoth }: DayRule, on: Day): boolean => {
  const isDay = days === "any" || days.some((day) => on.day === (day < 0 ? on.daysInMonth + 1 + day : day))
  const isWeekday = weekdays === "any" || weekdays.some((weekday) => isOnWeekday(on, weekday))
  return needsBoth || days === "any" || weekdays === "any" ? isDay && isWeekday : isDay || isWeekday
}

const firstTuesday = Date.UTC(2019, 0, 1)

/**
 * Whether a rule holds on the day of a local time, which is given as if it were UTC. Weeks are counted from Tuesday, 2019-01-01, which
 * begins week 1, as the reference service counted them when its tables were made. Gap: it counts elapsed hours, by which Tuesdays change
 * the week with daylight saving; here the calendar counts.
 */
export const holdsOn = (rule: DayRule, local: number): boolean => {
  const date = new Date(local)
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const week = Math.floor((local - firstTuesday) / dayMillis / 7) + 1
  return isOn(rule, { day: date.getUTCDate(), daysInMonth, weekday: date.getUTCDay(), week })
}

/** The days from the first Tuesday to the first one of a weekday, not before so many, in a week that counts. */
const daysUntil = ({ day, weeks }: Weekday, from: number): number => {
  const position = (day + 5) % 7
  const week = Math.ceil((from - position) / 7)
  const { every, offset } = weeks ?? { every: 1, offset: 0 }
  const behind = (offset - 1 - week) % every
  return 7 * (week + (behind < 0 ? behind + every : behind)) + position
}

/**
 * The local time, or the beginning of a later day where the rule counts weeks and holds on no day before that one: between two of its
 * days may lie years.
 */
export const skipWeeks = ({ days, weekdays, needsBoth }: DayRule, local: number): number => {
  if (weekdays === "any" || (days !== "any" && !needsBoth)) return local
  const from = Math.floor((local - firstTuesday) / dayMillis)
  const until = Math.min(...weekdays.map((weekday) => daysUntil(weekday, from)))
  return Math.max(local, firstTuesday + until * dayMillis)
}

const lengths = [[31], [28, 29], [31], [30], [31], [30], [31], [31], [30], [31], [30], [31]]

const allOf = (length: number, from: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => from + index)

/** The months in which some of the days exist. Where days or months are not limited, all remain. */
export const possibleMonths = (days: Values, months: Values): Values => {
  if (days === "any" || months === "any") return months
  return months.filter((month) => days.some((day) => day <= Math.max(...(lengths[month - 1] ?? []))))
}

/** Whether a rule holds on any day of those months, in whatever week: each month begins on each weekday at some time. */
export const isPossible = (rule: DayRule, months: Values): boolean =>
  (months === "any" ? allOf(12, 1) : months)
    .flatMap((month) => lengths[month - 1] ?? [])
    .some((daysInMonth) =>
      allOf(7, 0).some((first) =>
        allOf(daysInMonth, 1).some((day) => isOn(rule, { day, daysInMonth, weekday: (first + day) % 7 }))
      )
    )
