import { withoutBlanks } from "./blanks.ts"
import { dayFields, listed } from "./cronerPattern.ts"
import { type DayRule, isPossible, possibleMonths } from "./dayRule.ts"
import { type Field, splitFields } from "./splitFields.ts"
import { kinds, type Values, valuesOf } from "./values.ts"
import { weekdaysOf } from "./weekdays.ts"

/** A cron text that was understood, in the words of croner. */
export interface Cron {
  /** Six fields with every value written out. */
  readonly pattern: string
  readonly days: DayRule
  /** Whether `pattern` says all that `days` does. Where croner has no word for it, `pattern` has more days. */
  readonly isExact: boolean
  /** Whether a slot may come twice in a repeated hour and not at all in a skipped one, since the text counts hours, not times of day. */
  readonly followsElapsedTime: boolean
  /** Whether all slots are at full minutes. */
  readonly isMinutely: boolean
}

/** Beyond this many characters a text is refused unread. All values of all fields written out are fewer. */
const maxLength = 1_000

interface Fields {
  readonly second: Values
  readonly minute: Values
  readonly hour: Values
  readonly month: Values
  readonly rule: DayRule
}

const fieldsOf = ([seconds, minutes, hours, days, months, weekdays]: ReadonlyArray<Field | undefined>): Fields | undefined => {
  if ([seconds, minutes, hours, months].some((field) => field?.hasAnd)) return undefined
  const second = seconds && valuesOf(seconds, kinds.second)
  const minute = minutes && valuesOf(minutes, kinds.minute)
  const hour = hours && valuesOf(hours, kinds.hour)
  const day = days && valuesOf(days, kinds.day)
  const month = months && valuesOf(months, kinds.month)
  const weekday = weekdays && weekdaysOf(weekdays)
  const needsBoth = days?.hasAnd === true || weekdays?.hasAnd === true
  return second && minute && hour && day && month && weekday
    ? { second, minute, hour, month, rule: { days: day, weekdays: weekday, needsBoth } }
    : undefined
}

const followsElapsedTime = (hour: Field | undefined): boolean =>
  hour?.elements.every((element) => element.startsWith("*") || element.startsWith("/")) === true

const zeroSeconds: Field = { elements: ["0"], hasAnd: false }

/**
 * Reads a cron text as the reference service does: five fields, or six with seconds first. Undefined for what is none, for what never
 * happens (30 February), and for a text of more than 1,000 characters.
 *
 * croner, which computes the runs, accepts more (`@daily`, `?`, `W`, years) and lacks some (`22-4`, `-2`, `mon%2`, hour 24), so every
 * field is checked and written out here. A step of 0 is refused; the reference service fails on it.
 */
export const parseCron = (text: string): Cron | undefined => {
  if (text.length > maxLength) return undefined
  const split = splitFields(withoutBlanks(text).toLowerCase())
  if (split === undefined || split.length < 5 || split.length > 6) return undefined
  const isMinutely = split.length === 5
  const written = isMinutely ? [zeroSeconds, ...split] : split
  const fields = fieldsOf(written)
  if (fields === undefined) return undefined
  const { second, minute, hour, rule } = fields
  const month = possibleMonths(rule.days, fields.month)
  if (!isPossible(rule, month)) return undefined
  const { day, weekday, isExact } = dayFields(rule)
  return {
    pattern: [listed(second), listed(minute), listed(hour), day, listed(month), weekday].join(" "),
    days: rule,
    isExact,
    followsElapsedTime: followsElapsedTime(written[2]),
    isMinutely
  }
}
