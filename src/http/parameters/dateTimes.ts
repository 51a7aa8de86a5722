import { dayMillis } from "../../kernel/units.ts"

/** What a text says about a time. */
export interface Moment {
  /** The day `YYYY-MM-DD` as written, before the zone is applied. */
  readonly day: string
  /** The time in milliseconds since 1970; finer fractions are cut off. */
  readonly millis: number
  /** The number of minutes by which the written zone is ahead of UTC; 0 without a zone. */
  readonly offsetMinutes: number
}

/** Longer texts are refused unread. */
const maxLength = 128

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const monthName =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"

type Part = "year" | "month" | "day"
const yearFirst: ReadonlyArray<Part> = ["year", "month", "day"]
const dayFirst: ReadonlyArray<Part> = ["day", "month", "year"]
const monthFirst: ReadonlyArray<Part> = ["month", "day", "year"]

/** The date forms with a month, whose first and last two groups are the parts; the second is the separator. */
const calendarForms: ReadonlyArray<readonly [pattern: RegExp, parts: ReadonlyArray<Part>]> = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/, yearFirst],
  [/^(\d{4})()(\d{2})(\d{2})(?!\d)/, yearFirst],
  [/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/, dayFirst],
  [new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?([- ])${monthName}[-, ] ?(\\d{4})(?!\\d)`, "i"), dayFirst],
  [new RegExp(`^${monthName}( )(\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?!\\d)`, "i"), monthFirst]
]

const midnightUtc = (year: number, month: number, day: number): number => {
  // `Date.UTC` moves the years 0 to 99 into the 20th century.
  const date = new Date(0)
  return date.setUTCFullYear(year, month - 1, day)
}

const calendarDate = (match: RegExpExecArray, parts: ReadonlyArray<Part>): number | undefined => {
  const written = [match[1], match[3], match[4]]
  const part = (name: Part): number => numberOf(written[parts.indexOf(name)] ?? "")
  const [year, month, day] = [part("year"), part("month"), part("day")]
  const midnight = midnightUtc(year, month, day)
  const date = new Date(midnight)
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? midnight : undefined
}

/** A day of a week of ISO 8601, `2024-W05-4`; without a day, its Monday. Week 1 has 4 January in it. */
const weekDate = ([, year, week, day = "1"]: RegExpExecArray): number | undefined => {
  const mondayOfWeek1 = (of: number) => {
    const january4 = midnightUtc(of, 1, 4)
    return january4 - ((new Date(january4).getUTCDay() + 6) % 7) * dayMillis
  }
  const monday = mondayOfWeek1(Number(year)) + (Number(week) - 1) * 7 * dayMillis
  const exists = Number(week) > 0 && monday < mondayOfWeek1(Number(year) + 1) && /[1-7]/.test(day)
  return exists ? monday + (Number(day) - 1) * dayMillis : undefined
}

/** A day by its number in the year, `2024-032`. */
const ordinalDate = ([, year, day]: RegExpExecArray): number | undefined => {
  const midnight = midnightUtc(Number(year), 1, Number(day))
  return Number(day) > 0 && new Date(midnight).getUTCFullYear() === Number(year) ? midnight : undefined
}

const firstDay = midnightUtc(1, 1, 1)

/** How dates are written, and the midnight UTC of a date that exists. */
const dateForms: ReadonlyArray<readonly [pattern: RegExp, midnightOf: (match: RegExpExecArray) => number | undefined]> = [
  ...calendarForms.map(
    ([pattern, parts]) => [pattern, (match: RegExpExecArray): number | undefined => calendarDate(match, parts)] as const
  ),
  [/^(\d{4})-?w(\d{2})(?:-?(\d))?(?!\d)/i, weekDate],
  [/^(\d{4})-?(\d{3})(?!\d)/, ordinalDate]
]
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +/i

// A `+` that arrived as a space leaves digits behind the time: the offset is lost and ignored, as in the reference.
const timeForm =
  /^(?:t| +)(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?(?: *([ap])m)?(?: *(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)| +\d{2}:?\d{2})?$/i

/**
 * What a text says, or undefined if it is no date. Texts without a zone are UTC. Understood are, optionally after the
 * name of a weekday, `2024-02-01`, `20240201`, `2024/02/01`, `01/02/2024` (1 February), `1 Feb 2024`, `February 1, 2024`,
 * the week dates `2024-W05-4`, `2024W054` and `2024-W05` (its Monday), the ordinal dates `2024-032` and `2024032`, each optionally with a
 * time (`10:00`, `T100000.5`, `10:00 pm`) and a zone (`Z`, `GMT`, `UTC`, `+02:00`, `-0200`, `+02`).
 *
 * Gap: the reference also reads dates inside other words; they are refused here, because a filter that is silently misread is worse
 * than an error.
 */
export const parseMoment = (text: string): Moment | undefined => {
  if (text.length > maxLength) return undefined
  const trimmed = text.trim().replace(weekday, "")
  for (const [pattern, midnightOf] of dateForms) {
    const match = pattern.exec(trimmed)
    if (match === null) continue
    const midnight = midnightOf(match)
    const time = timeOf(trimmed.slice(match[0].length))
    if (midnight === undefined || midnight < firstDay || time === undefined) return undefined
    const { millis, offsetMinutes } = time
    return { day: new Date(midnight).toISOString().slice(0, 10), millis: midnight + millis, offsetMinutes }
  }
  return undefined
}

const numberOf = (digitsOrMonth: string): number =>
  /^\d/.test(digitsOrMonth) ? Number(digitsOrMonth) : months.indexOf(digitsOrMonth.slice(0, 3).toLowerCase()) + 1

/** The number of milliseconds between midnight UTC and the time that `text` names; negative when its zone is ahead. */
const timeOf = (text: string): Pick<Moment, "millis" | "offsetMinutes"> | undefined => {
  if (text === "") return { millis: 0, offsetMinutes: 0 }
  const match = timeForm.exec(text)
  if (match === null) return undefined
  const [, hours = "", minutes = "", seconds = "0", fraction = "0", half, zone = "z"] = match
  const hour = hourOf(Number(hours), half?.toLowerCase())
  const [minute, second] = [Number(minutes), Number(seconds)]
  const offsetMinutes = offsetOf(zone)
  if (hour === undefined || minute > 59 || second > 60 || offsetMinutes === undefined) return undefined
  if (hour === 24 && minute + second > 0) return undefined
  // A leap second is the last second of its minute.
  const wholeSeconds = (hour * 60 + minute - offsetMinutes) * 60 + Math.min(second, 59)
  return { millis: wholeSeconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")), offsetMinutes }
}

const hourOf = (hour: number, half: string | undefined): number | undefined => {
  if (half === undefined) return hour > 24 ? undefined : hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === "p" ? 12 : 0)
}

const offsetOf = (zone: string): number | undefined => {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (match === null) return 0
  const [, sign, hours = "", minutes = "0"] = match
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
