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

const belowTwenty =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
const tens = "twenty thirty forty fifty sixty seventy eighty ninety"

const smallNumbers: ReadonlyMap<string, number> = new Map([
  ...belowTwenty.split(" ").map((name, value) => [name, value] as const),
  ...tens.split(" ").map((name, index) => [name, 20 + 10 * index] as const)
])

const scales: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1_000],
  ["million", 1_000_000]
])

/** Whether `two` may follow `one` in a number of words, as five follows twenty and forty follows a hundred, but three does not follow two. */
const continues = (one: number, two: number): boolean =>
  one > 0 && two > 0 && (two < 10 ? one % 10 === 0 && one % 100 !== 10 : one % 100 === 0)

/** `three` becomes three hundred, and `two thousand three` becomes two thousand three hundred. */
const scaled = (number: number, scale: number): number => {
  const rest = number % (10 * scale)
  return number - rest + Math.max(rest, 1) * scale
}

/** What was read so far: the seconds, undefined before the first, and a number that waits for its unit. */
interface Reading {
  readonly seconds?: number | undefined
  readonly number?: number | undefined
  /** Whether words may follow that are part of the number. */
  readonly isOpen?: boolean
}

const add = ({ seconds = 0 }: Reading, more: number): Reading => ({ seconds: seconds + more })

/** A number without a unit counts hours. Gap: so does one that another number follows. */
const endNumber = (reading: Reading): Reading => (reading.number === undefined ? reading : add(reading, reading.number * hour))

const beginNumber = (reading: Reading, number: number, isOpen: boolean): Reading => ({ ...endNumber(reading), number, isOpen })

/** A unit without a number means one of it where the text begins with it, else nothing. */
const readUnit = (reading: Reading, unit: number): Reading =>
  reading.number === undefined && reading.seconds !== undefined ? reading : add(reading, (reading.number ?? 1) * unit)

/** Words that mean nothing are passed over. */
const readWord = (reading: Reading, word: string): Reading => {
  const { isOpen, number } = reading
  const unit = units.get(word)
  if (unit !== undefined) return readUnit(reading, unit)
  const scale = scales.get(word)
  if (scale !== undefined)
    return number === undefined ? beginNumber(reading, scale, true) : { ...reading, number: scaled(number, scale) }
  if (word === "half") return number === undefined ? beginNumber(reading, 0.5, false) : { ...reading, number: number + 0.5 }
  const small = smallNumbers.get(word)
  if (small === undefined) return reading
  if (number !== undefined && isOpen === true && continues(number, small)) return { ...reading, number: number + small }
  return beginNumber(reading, small, true)
}

const parseWords = (text: string): number | undefined => {
  let reading: Reading = {}
  for (const [, number, word = ""] of text.matchAll(/(\d+(?:\.\d+)?|\.\d+)|([a-z]+)/g))
    reading = number === undefined ? readWord(reading, word) : beginNumber(reading, Number(number), false)
  return endNumber(reading).seconds
}

/** `h:mm:ss`, or less of it: the last number is seconds. Gap: a colon between other numbers makes no time. */
const parseClock = (text: string): number | undefined =>
  /^\s*\d+(?:\s*:\s*\d+){1,2}\s*$/.test(text) ? text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) : undefined

const isClock = (text: string): boolean => /\d\s*:|:\s*\d/.test(text)

/**
 * The whole seconds that a text such as `1w 2d`, `3h30m`, `-1.5h` or `1:30` means; a number alone is hours. Undefined where it names no
 * time or a longer one than can be counted. The sign counts at the very start alone, and for the whole text. In linear time.
 * Source: time tracking › Duration syntax.
 */
export const parseDuration = (text: string): number | undefined => {
  const lower = text.trim().toLowerCase()
  const isNegative = lower.startsWith("-")
  const rest = isNegative ? lower.slice(1) : lower
  const seconds = Math.round((isClock(rest) ? parseClock(rest) : parseWords(rest)) ?? Number.NaN)
  if (!Number.isSafeInteger(seconds)) return undefined
  return isNegative && seconds !== 0 ? -seconds : seconds
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

export interface PrintOptions {
  /** Whether hours are the largest unit, as in `40h` for a week. */
  readonly limitsToHours?: boolean
}

/** Seconds in the units of work, the largest first, such as `3h 30m`; null for none. */
export const printDuration = (seconds: number, { limitsToHours = false }: PrintOptions = {}): string | null => {
  if (seconds === 0) return null
  let left = Math.abs(seconds)
  const parts = symbols.flatMap(([symbol, size]) => {
    if (limitsToHours && size > hour) return []
    const count = Math.floor(left / size)
    left %= size
    return count === 0 ? [] : [`${count}${symbol}`]
  })
  return `${seconds < 0 ? "-" : ""}${parts.join(" ")}`
}
