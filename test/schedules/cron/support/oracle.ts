/**
 * A second reader of cron texts and clocks, of which nothing is shared with what it checks: it asks of every minute whether it fits,
 * and knows of the zone only what `Intl` prints.
 */
const minute = 60_000
const hour = 60 * minute

/** Milliseconds by which clocks are ahead, from the numbers of a printed date. */
const printed = new Map<string, Intl.DateTimeFormat>()
const ahead = (zone: string, at: number): number => {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone)
  if (fixed) return Number(`${fixed[1]}1`) * (Number(fixed[2]) * hour + Number(fixed[3]) * minute)
  const format =
    printed.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })
  printed.set(zone, format)
  return Date.parse(`${format.format(at).replace(" ", "T")}Z`) - at
}

/** The first instants with another offset, found by looking at every quarter of an hour around the days where it differs. */
export const transitions = (zone: string, from: number, to: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let day = from; day < to; day += 24 * hour) {
    if (ahead(zone, day) === ahead(zone, day + 24 * hour)) continue
    for (let at = day + 15 * minute; at <= day + 24 * hour; at += 15 * minute)
      if (ahead(zone, at) !== ahead(zone, at - 15 * minute)) found.push(at)
  }
  return found
}

const names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

const numberOf = (text: string, words: ReadonlyArray<string>, first: number): number =>
  words.includes(text) ? words.indexOf(text) + first : Number(text)

/** Whether a value is of an element: how far it is from the start, around the end, is at most the length and a number of steps. */
const fits = (
  value: number,
  element: string,
  [min, max]: readonly [number, number],
  words: ReadonlyArray<string> = []
): boolean => {
  const [range = "", step = "1"] = element.split("/")
  const [from, to] = range === "*" || range === "" ? [String(min), String(max)] : range.split("-")
  const start = numberOf(from ?? "", words, min)
  const end = to === undefined ? (element.includes("/") ? max : start) : numberOf(to, words, min)
  const size = max - min + 1
  const distance = (value - start + size) % size
  return distance <= (end - start + size) % size && distance % Number(step) === 0
}

interface Day {
  readonly day: number
  readonly month: number
  readonly weekday: number
  readonly fromEnd: number
  readonly week: number
}

const dayOf = (local: number): Day => {
  const date = new Date(local)
  const inMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return {
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
    fromEnd: inMonth - date.getUTCDate() + 1,
    week: 1 + Math.floor((local - Date.UTC(2019, 0, 1)) / (7 * 24 * hour))
  }
}

const fitsDay = (element: string, { day, fromEnd }: Day): boolean => {
  if (/^(l|last)$/.test(element)) return fromEnd === 1
  return element.startsWith("-") ? fromEnd === -Number(element) : fits(day, element, [1, 31])
}

const fitsWeekday = (element: string, { weekday, day, fromEnd, week }: Day): boolean => {
  const [plain = "", nth] = element.split("#")
  const [name = "", weeks] = plain.split("%")
  if (weeks !== undefined) {
    const [every = 1, offset = 0] = weeks.split("+").map(Number)
    return days.indexOf(name) === weekday && (week - offset) % every === 0
  }
  if (nth === undefined) return fits(weekday, plain.replace("7", "0"), [0, 6], days)
  const which = nth === "last" || nth === "l" ? -1 : Number(nth)
  const place = which > 0 ? Math.floor((day - 1) / 7) + 1 : -(Math.floor((fromEnd - 1) / 7) + 1)
  return numberOf(plain, days, 0) === weekday && place === which
}

const accepted = (field: ReadonlyArray<string> | undefined, max: number): ReadonlyArray<boolean> =>
  Array.from({ length: max + 1 }, (_, value) => field?.some((element) => fits(value, element, [0, max])) === true)

/** Whether a local time fits a text of five or six fields, of those used here. */
const fitter = (text: string): ((local: number) => boolean) => {
  const plain = text.toLowerCase().replaceAll("&", "").replace(" 24 ", " 0 ").split(" ")
  const [second, minutes, hours, dayField, months, weekdayField] = (plain.length === 6 ? plain : ["0", ...plain]).map((field) =>
    field.split(",")
  )
  const isSecond = accepted(second, 59)
  const isMinute = accepted(minutes, 59)
  const isHour = accepted(hours, 23)
  const known = new Map<number, boolean>()
  const fitsDate = (local: number): boolean => {
    const date = dayOf(local)
    if (!months?.some((element) => fits(date.month, element, [1, 12], names))) return false
    const isDay = dayField?.some((element) => fitsDay(element, date)) === true
    const isWeekday = weekdayField?.some((element) => fitsWeekday(element, date)) === true
    const isEither = !text.includes("&") && dayField?.[0] !== "*" && weekdayField?.[0] !== "*"
    return isEither ? isDay || isWeekday : isDay && isWeekday
  }
  return (local) => {
    const ofDay = Math.floor((local % (24 * hour)) / 1_000)
    if (!isSecond[ofDay % 60] || !isMinute[Math.floor(ofDay / 60) % 60] || !isHour[Math.floor(ofDay / 3_600)]) return false
    const date = Math.floor(local / (24 * hour))
    const answer = known.get(date) ?? fitsDate(local)
    known.set(date, answer)
    return answer
  }
}

/** All hours of `*` or of steps from the first. */
const isOfElapsedTime = (text: string): boolean => {
  const fields = text.split(" ")
  return /^\*?(\/\d+)?$/.test(fields.at(-4) ?? "")
}

/** An instant, and what clocks show then. */
type Tick = readonly [at: number, local: number]

/** The ticks of a clock after `from` and until `to`, before them the one at `from`. */
export const walk = (zone: string, from: number, to: number, step: number): ReadonlyArray<Tick> => {
  const ticks: Array<Tick> = []
  let offset = ahead(zone, from)
  for (let at = from; at <= to; at += step) {
    if (at % (15 * minute) === 0) offset = ahead(zone, at)
    ticks.push([at, at + offset])
  }
  return ticks
}

/** What is due in a walk in which the offset changes once at most, and not in the first day. */
export const expectedSlots = (text: string, ticks: ReadonlyArray<Tick>): ReadonlyMap<number, string> => {
  const isDue = fitter(text)
  const isElapsed = isOfElapsedTime(text)
  const found = new Map<number, string>()
  let latest = ticks[0]?.[1] ?? 0
  const step = (ticks[1]?.[1] ?? 0) - latest
  for (const [at, local] of ticks.slice(1)) {
    if (isElapsed) {
      if (isDue(local)) found.set(at, "normal")
      continue
    }
    if (local <= latest) continue
    for (let skipped = latest + step; skipped < local; skipped += step) if (isDue(skipped)) found.set(at, "movedOutOfGap")
    if (isDue(local)) found.set(at, "normal")
    latest = local
  }
  return found
}
