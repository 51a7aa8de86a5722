import type { Field } from "./splitFields.ts"

/**
 * A weekday, 0 for Sunday: each one, or only the `nth` of the month (counted from its end below zero), or only those of every so many
 * weeks.
 */
export interface Weekday {
  readonly day: number
  readonly nth?: number
  readonly weeks?: { readonly every: number; readonly offset: number }
}

const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
const value = `[0-7]|${names.join("|")}`
const nthElement = new RegExp(`^(${value})#(-?[1-5]|last|l)$`)
const weeksElement = new RegExp(`^(${value})%(\\d{1,3})(?:\\+(\\d{1,9}))?$`)
const listElement = new RegExp(`^(?:\\*|(${value})(?:-(${value}))?)?(?:/(\\d\\d?))?$`)

/** Five years; the reference service, which takes any number, finds no run beyond that. */
const maxWeeks = 260

const numberOf = (text: string): number => (text.length === 3 ? names.indexOf(text) : Number(text))

const nthOf = (text: string): ReadonlyArray<Weekday> | undefined => {
  const [, day, nth] = nthElement.exec(text) ?? []
  if (day === undefined || nth === undefined) return undefined
  return [{ day: numberOf(day) % 7, nth: nth.startsWith("l") ? -1 : Number(nth) }]
}

const weeksOf = (text: string): ReadonlyArray<Weekday> | undefined => {
  const [, day, every, offset = "0"] = weeksElement.exec(text) ?? []
  if (day === undefined || Number(every) < 1 || Number(every) > maxWeeks) return undefined
  return [{ day: numberOf(day) % 7, weeks: { every: Number(every), offset: Number(offset) } }]
}

/** `*` in a list adds nothing to it, and a step from a single weekday takes that one alone: so does the reference service. */
const listOf = (text: string): ReadonlyArray<Weekday> | undefined => {
  const found = listElement.exec(text)
  if (found === null || Number(found[3]) === 0) return undefined
  if (text === "*") return []
  const [from, to] = [found[1], found[2]].map((day) => (day === undefined ? undefined : numberOf(day)))
  const start = from ?? 0
  const end = to ?? from ?? 6
  const length = (end < start ? end + 7 : end) - start + 1
  const step = Number(found[3] ?? 1)
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => ({ day: (start + index * step) % 7 }))
}

/** The weekdays of a field, `any` for all; undefined where one of its elements is none. */
export const weekdaysOf = ({ elements }: Field): ReadonlyArray<Weekday> | "any" | undefined => {
  const lists: Array<ReadonlyArray<Weekday>> = []
  for (const element of elements) {
    const list = nthOf(element) ?? weeksOf(element) ?? listOf(element)
    if (list === undefined) return undefined
    lists.push(list)
  }
  return lists.every((list) => list.length === 0) ? "any" : lists.flat()
}
