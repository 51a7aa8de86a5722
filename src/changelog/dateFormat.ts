/** A moment with the offset that its sender wrote. */
export interface LocalMoment {
  /** The moment in milliseconds since 1970, UTC. */
  readonly epochMillis: number
  /** The number of seconds by which the local time is ahead of UTC. */
  readonly offsetSeconds: number
}

interface Fields {
  readonly moment: LocalMoment
  /** Its UTC fields are the local ones. */
  readonly local: Date
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const months = "January February March April May June July August September October November December".split(" ")
const dayMillis = 86_400_000

const weekdayName = ({ local }: Fields): string => weekdays[local.getUTCDay()] ?? ""
const monthName = ({ local }: Fields): string => months[local.getUTCMonth()] ?? ""
const year = ({ local }: Fields): number => local.getUTCFullYear()
const hour12 = ({ local }: Fields): number => local.getUTCHours() % 12 || 12
/** The weekday from Monday 1 to Sunday 7. */
const isoWeekday = ({ local }: Fields): number => local.getUTCDay() || 7
/** The day of the year, from 1. */
const dayOfYear = (fields: Fields): number => Math.floor((fields.local.getTime() - startOfYear(year(fields))) / dayMillis) + 1

const startOfYear = (fullYear: number): number => new Date(0).setUTCFullYear(fullYear, 0, 1)

/** Week of the year; the first begins with the first `firstDay`, counted from Sunday 0. */
const week = (fields: Fields, firstDay: number): number =>
  Math.floor((dayOfYear(fields) + 6 - ((fields.local.getUTCDay() - firstDay + 7) % 7)) / 7)

/** The year and week of ISO 8601: those of the Thursday of the same week. */
const isoWeek = (fields: Fields): { readonly year: number; readonly week: number } => {
  const thursday = new Date(fields.local.getTime() + (4 - isoWeekday(fields)) * dayMillis)
  const isoYear = thursday.getUTCFullYear()
  return { year: isoYear, week: Math.floor((thursday.getTime() - startOfYear(isoYear)) / (7 * dayMillis)) + 1 }
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

const zone = ({ moment }: Fields, colons: number): string => {
  const seconds = Math.abs(moment.offsetSeconds)
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => twoDigits(Math.floor(part)))
  const text = colons === 2 ? parts.join(":") : parts.slice(0, 2).join(colons === 1 ? ":" : "")
  return `${moment.offsetSeconds < 0 ? "-" : "+"}${text}`
}

const number = (read: (fields: Fields) => number, width: number, fill = "0") => ({ read, width, fill })

/** Directives that print a number, with the width and the fill that they have by themselves. */
const numbers: Readonly<Record<string, ReturnType<typeof number>>> = {
  Y: number(year, 4),
  C: number((fields) => Math.floor(year(fields) / 100), 2),
  y: number((fields) => year(fields) % 100, 2),
  m: number(({ local }) => local.getUTCMonth() + 1, 2),
  d: number(({ local }) => local.getUTCDate(), 2),
  e: number(({ local }) => local.getUTCDate(), 2, " "),
  j: number(dayOfYear, 3),
  H: number(({ local }) => local.getUTCHours(), 2),
  k: number(({ local }) => local.getUTCHours(), 2, " "),
  I: number(hour12, 2),
  l: number(hour12, 2, " "),
  M: number(({ local }) => local.getUTCMinutes(), 2),
  S: number(({ local }) => local.getUTCSeconds(), 2),
  u: number(isoWeekday, 1),
  w: number(({ local }) => local.getUTCDay(), 1),
  G: number((fields) => isoWeek(fields).year, 4),
  g: number((fields) => isoWeek(fields).year % 100, 2),
  V: number((fields) => isoWeek(fields).week, 2),
  U: number((fields) => week(fields, 0), 2),
  W: number((fields) => week(fields, 1), 2),
  s: number(({ moment }) => Math.floor(moment.epochMillis / 1000), 1),
  Q: number(({ moment }) => moment.epochMillis, 1)
}

const texts: Readonly<Record<string, (fields: Fields) => string>> = {
  B: monthName,
  b: (fields) => monthName(fields).slice(0, 3),
  h: (fields) => monthName(fields).slice(0, 3),
  A: weekdayName,
  a: (fields) => weekdayName(fields).slice(0, 3),
  p: ({ local }) => (local.getUTCHours() < 12 ? "AM" : "PM"),
  P: ({ local }) => (local.getUTCHours() < 12 ? "am" : "pm"),
  Z: (fields) => zone(fields, 1),
  n: () => "\n",
  t: () => "\t",
  "%": () => "%"
}

/** Directives that are short for others. */
const combinations: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  x: "%m/%d/%y",
  F: "%Y-%m-%d",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  R: "%H:%M",
  r: "%I:%M:%S %p",
  v: "%e-%^b-%Y",
  "+": "%a %b %e %H:%M:%S %Z %Y"
}

const directive = /%([-0^#_]*)(\d{0,2})(:{0,2})([A-Za-z%+])/g

/**
 * The local time in a pattern of strftime: names are English; flags are `-` (no fill), `0`, `_` (fill with spaces), `^` (upper
 * case), `#` (the other case), then a width of up to two digits. What is no directive stays as written.
 */
export const formatDate = (moment: LocalMoment, pattern: string): string => {
  const local = new Date(moment.epochMillis + moment.offsetSeconds * 1000)
  return formatted({ moment, local }, pattern)
}

const formatted = (fields: Fields, pattern: string): string =>
  pattern.replace(directive, (written, flags: string, width: string, colons: string, name: string) => {
    if (name === "z") return filled(zone(fields, colons.length), flags, width, "0")
    if (colons !== "") return written
    if (name === "L" || name === "N") return fraction(fields, width === "" ? (name === "L" ? 3 : 9) : Number(width))
    const numeric = numbers[name]
    if (numeric !== undefined) return filled(String(numeric.read(fields)), flags, width || String(numeric.width), numeric.fill)
    const combination = combinations[name]
    const text = combination === undefined ? texts[name]?.(fields) : formatted(fields, combination)
    return text === undefined ? written : filled(inCase(text, name, flags), flags, width, " ")
  })

/** The digits of the second's fraction, cut off or continued with zeros. */
const fraction = ({ local }: Fields, digits: number): string =>
  String(local.getUTCMilliseconds()).padStart(3, "0").padEnd(digits, "0").slice(0, digits)

const inCase = (text: string, name: string, flags: string): string => {
  if (flags.includes("#")) return name === "p" ? text.toLowerCase() : text.toUpperCase()
  return flags.includes("^") ? text.toUpperCase() : text
}

/** The last of the flags for filling counts; a sign stays before zeros. */
const filled = (text: string, flags: string, width: string, ownFill: string): string => {
  const flag = flags.match(/[-0_](?=[\^#]*$)/)?.[0]
  if (flag === "-") return text
  const fill = flag === undefined ? ownFill : flag === "_" ? " " : "0"
  const sign = fill === "0" && /^[-+]/.test(text) ? text.charAt(0) : ""
  return sign + text.slice(sign.length).padStart(Number(width) - sign.length, fill)
}
