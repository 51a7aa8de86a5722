import { Schema } from "effect"
import { integer, nullableText } from "../http/answer/fields.ts"
import { printDuration } from "../kernel/humanDuration.ts"

/** How much time an issue or merge request is to take, and took. */
export const TimeStats = Schema.Struct({
  time_estimate: integer("Estimate, in seconds."),
  total_time_spent: integer("Time that was spent, in seconds."),
  human_time_estimate: nullableText("Estimate in words, such as `1d 2h`, a day of eight hours; null for none."),
  human_total_time_spent: nullableText("Time that was spent in words; null for none.")
}).annotate({ identifier: "TimeStats" })

/** Times in seconds. */
interface Timed {
  readonly time_estimate: number
  readonly time_spent: number
}

export const presentTimeStats = ({ time_estimate, time_spent }: Timed): typeof TimeStats.Type => ({
  time_estimate,
  total_time_spent: time_spent,
  human_time_estimate: printDuration(time_estimate),
  human_total_time_spent: printDuration(time_spent)
})
