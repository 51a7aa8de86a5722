const second = 1
const minute = 60 * second
const hour = 60 * minute
/** A day has eight hours of work, a week five days, a month four weeks. */
const day = 8 * hour
const week = 5 * day
const month = 4 * week
/** A year is one of the calendar. */
const year = 31_557_600

const unitNames: ReadonlyArray<readonly [seconds: number, names: string]> = [
  [second, "s sec secs second seconds"],
  [minute, "m min mins minute minutes"],
  [hour, "h hr hrs hour hours"],
  [day, "d dy day days"],
  [week, "w week weeks"],
  [month, "mo mos month months"],
  [year, "y yr yrs year years"]
]

const units: ReadonlyMap<string, number> = new Map(
  unitNames.flatMap(([seconds, names]) => names.split(" ").map((name) => [name, seconds] as const))
)

/** `h:mm:ss`, or less of it: the last number is seconds. */
const parseClock = (text: string): number | undefined =>
  /^\d+(?::\d+){1,2}$/.test(text) ? text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) : undefined

/** Numbers and the units behind them. A unit at the start means one of it; words that are no units are passed over. */
const parseParts = (text: string): number | undefined => {
  let total: number | undefined
  let pending: number | undefined
  const add = (seconds: number) => {
    total = (total ?? 0) + seconds
  }
  for (const [, number, word = ""] of text.matchAll(/(\d+(?:\.\d+)?)|([a-z]+)/g)) {
    if (number !== undefined) {
      if (pending !== undefined) add(pending * hour)
      pending = Number(number)
      continue
    }
    const unit = units.get(word)
    if (unit === undefined || (pending === undefined && total !== undefined)) continue
    add((pending ?? 1) * unit)
    pending = undefined
  }
  if (pending !== undefined) add(pending * hour)
  return total
}

/**
 * The whole seconds that a text such as `1w 2d`, `3h30m`, `-1.5h` or `1:30` means; a number alone is hours. Undefined where it names no time.
 * Source: time tracking › Duration syntax.
 */
export const parseDuration = (text: string): number | undefined => {
  const [, sign, rest = ""] = /^(-?)(.*)$/s.exec(text.trim().toLowerCase()) ?? []
  const seconds = parseClock(rest) ?? parseParts(rest)
  if (seconds === undefined || !Number.isSafeInteger(Math.round(seconds))) return undefined
  const whole = Math.round(seconds)
  return sign === "-" && whole !== 0 ? -whole : whole
}

const symbols = [
  ["y", year],
  ["mo", month],
  ["w", week],
  ["d", day],
  ["h", hour],
  ["m", minute],
  ["s", second]
] as const

/** Seconds in the units of work, the largest first, such as `3h 30m`; null for none. */
export const printDuration = (seconds: number): string | null => {
  if (seconds === 0) return null
  let left = Math.abs(seconds)
  const parts = symbols.flatMap(([symbol, size]) => {
    const count = Math.floor(left / size)
    left %= size
    return count === 0 ? [] : [`${count}${symbol}`]
  })
  return `${seconds < 0 ? "-" : ""}${parts.join(" ")}`
}
