import { isoDate } from "../../http/answer/jsonTimes.ts"
import { dayMillis } from "../../kernel/units.ts"
import type { DueCondition } from "../Queries.ts"

/** When issues are due, as a list is asked for it. */
export type Due = "0" | "any" | "today" | "tomorrow" | "overdue" | "week" | "month" | "next_month_and_previous_two_weeks"

/** The days of the month of a time that is so many months ahead, in UTC. */
const monthOf = (now: number, ahead: number) => {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + ahead]
  return { from: isoDate(Date.UTC(year, month, 1)), to: isoDate(Date.UTC(year, month + 1, 0)) }
}

/** The days that are meant, seen from a time in milliseconds since 1970, in UTC. Weeks begin on Mondays. */
export const dueCondition = (due: Due, now: number): DueCondition => {
  const at = (days: number): string => isoDate(now + days * dayMillis)
  const only = (date: string) => ({ from: date, to: date })
  switch (due) {
    case "0":
      return "none"
    case "any":
      return "any"
    case "today":
      return only(at(0))
    case "tomorrow":
      return only(at(1))
    case "overdue":
      return { to: at(-1) }
    case "week": {
      const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
      return { from: at(-sinceMonday), to: at(6 - sinceMonday) }
    }
    case "month":
      return monthOf(now, 0)
    case "next_month_and_previous_two_weeks":
      return { from: at(-14), to: monthOf(now, 1).to }
  }
}
