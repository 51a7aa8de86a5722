import type { DayRule } from "./dayRule.ts"
import type { Values } from "./values.ts"
import type { Weekday } from "./weekdays.ts"

export const listed = (values: Values): string => (values === "any" ? "*" : values.join(","))

/** The days which a day counted from the end of the month may be: that month has 28 to 31. */
const candidates = (day: number): ReadonlyArray<number> =>
  day > 0 ? [day] : [29, 30, 31, 32].map((length) => length + day).filter((each) => each > 0)

const isCounted = ({ nth = 1, weeks }: Weekday): boolean => nth < 0 || weeks !== undefined

/**
 * A rule in the words of croner, at least: days from the end of the month, and weekdays from its end or of every so many weeks, are more
 * days here than in the rule, and `isExact` is false.
 */
export const dayFields = ({ days, weekdays }: DayRule) => {
  const day = days === "any" ? days : [...new Set(days.flatMap(candidates))].toSorted((one, other) => one - other)
  const names =
    weekdays === "any"
      ? []
      : weekdays.map((each) => (each.nth === undefined || isCounted(each) ? `${each.day}` : `${each.day}#${each.nth}`))
  return {
    day: listed(day),
    weekday: weekdays === "any" ? "*" : [...new Set(names)].join(","),
    isExact: !((days !== "any" && days.some((each) => each < 0)) || (weekdays !== "any" && weekdays.some(isCounted)))
  }
}
