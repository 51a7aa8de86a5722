import type { Field } from "./splitFields.ts"

/** What a field lists, in rising order. `any` is not the list of all values: where it stands, day and weekday need not be combined. */
export type Values = ReadonlyArray<number> | "any"

/** What may stand in a field, and from which value to which its steps and ranges go. */
interface Kind {
  readonly element: RegExp
  readonly min: number
  readonly max: number
  readonly numberOf: (value: string) => number
}

const kind = (value: string, min: number, max: number, numberOf: (value: string) => number = Number): Kind => ({
  element: new RegExp(`^(?:\\*|(${value})(?:-(${value}))?)?(?:/(\\d\\d?))?$`),
  min,
  max,
  numberOf
})

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const sixty = kind("[0-5]?\\d", 0, 59)

export const kinds = {
  second: sixty,
  minute: sixty,
  hour: kind("2[0-4]|[01]?\\d", 0, 23),
  day: kind("-?(?:3[01]|[12]\\d|0?[1-9])|last|l", 1, 31, (value) => (value.startsWith("l") ? -1 : Number(value))),
  month: kind(`1[0-2]|0?[1-9]|${months.join("|")}`, 1, 12, (value) => months.indexOf(value) + 1 || Number(value))
}

type Range = readonly [from: number, to: number]

interface Element {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly step: number | undefined
}

const elementOf = ({ element, numberOf }: Kind, text: string): Element | undefined => {
  const found = element.exec(text)
  if (found === null) return undefined
  const [from, to] = [found[1], found[2]].map((value) => (value === undefined ? undefined : numberOf(value)))
  const step = found[3] === undefined ? undefined : Number(found[3])
  return step === 0 ? undefined : { from, to, step }
}

/** The values from one to another, past the greatest to the least. Hour 24 is the one after 23, and so the first of the next round. */
const walk = ([from, to]: Range, [min, max]: Range): ReadonlyArray<number> => {
  const values = [from]
  let end = to
  for (let value = from; value !== end; values.push(value)) {
    value = value >= max ? min : value + 1
    if (value === min && end > max) end -= max + 1
  }
  return values
}

const inRising = (values: ReadonlyArray<number>): ReadonlyArray<number> => [...new Set(values)].toSorted((a, b) => a - b)

/** The range that an element means. One from a day of the month to one before its end goes to 31; one back from the end is none. */
const rangeOf = ({ from, to, step }: Element, kind: Kind): Range | undefined => {
  const start = from ?? kind.min
  const end = to ?? (from === undefined || step !== undefined ? kind.max : start)
  if (start > 0 && end < 0) return [start, kind.max]
  return start < 0 && end > 0 ? undefined : [start, end]
}

const expand = (text: string, kind: Kind): Values | undefined => {
  const element = elementOf(kind, text)
  const range = element && rangeOf(element, kind)
  if (element === undefined || range === undefined) return undefined
  const { min, max } = kind
  const { step = 1 } = element
  if (range[0] === min && range[1] === max && step === 1) return "any"
  const values = walk(range, range[0] < 0 ? [-max, -min] : [min, max])
  return values.filter((_, index) => index % step === 0).map((value) => (value > max ? min : value))
}

/** The values of any field but the weekday's; undefined where one of its elements is nothing that the field knows. */
export const valuesOf = ({ elements }: Field, kind: Kind): Values | undefined => {
  const lists: Array<ReadonlyArray<number>> = []
  let isAny = false
  for (const element of elements) {
    const values = expand(element, kind)
    if (values === undefined) return undefined
    if (values === "any") isAny = true
    else lists.push(values)
  }
  return isAny ? "any" : inRising(lists.flat())
}
