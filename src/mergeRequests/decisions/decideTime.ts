import { Result } from "effect"
import { MergeRequestEvent } from "../events.ts"
import { type Decision, type SpendTime, SpentTimeExceeded, SpentTimeTooLong, type TimeOrder } from "./commands.ts"
import { evolve, isPresent, type MergeRequest, type State } from "./state.ts"

const { cases } = MergeRequestEvent
const one = (event: MergeRequestEvent): Decision => Result.succeed([event])
const nothing: Decision = Result.succeed([])

/** About a year, in seconds. */
const maxTimeSpent = 31_540_000

const spendTime = ({ by, seconds, summary }: SpendTime, { timeSpent }: MergeRequest): Decision => {
  const total = timeSpent + seconds
  if (total < 0) return Result.fail(new SpentTimeExceeded())
  if (total > maxTimeSpent) return Result.fail(new SpentTimeTooLong())
  return one(cases.TimeSpent.make({ by, seconds, total, summary }))
}

/** What is done with the time of a merge request. */
export const decideTime = (order: TimeOrder, request: MergeRequest): Decision => {
  switch (order._tag) {
    case "EstimateTime":
      return order.seconds === request.timeEstimate ? nothing : one(cases.TimeEstimated.make({ seconds: order.seconds }))
    case "SpendTime":
      return spendTime(order, request)
    case "ResetSpentTime":
      return request.timeSpent === 0 ? nothing : one(cases.SpentTimeReset.make({ by: order.by }))
  }
}

/** What was decided, with what is done with the time after it. What is refused of that is left out. */
export const withTime = (decision: Decision, before: State, orders: ReadonlyArray<TimeOrder> = []): Decision =>
  Result.map(decision, (events) => {
    const all = [...events]
    let state = events.reduce(evolve, before)
    for (const order of orders) {
      const more = isPresent(state) ? Result.getOrElse(decideTime(order, state.request), () => []) : []
      all.push(...more)
      state = more.reduce(evolve, state)
    }
    return all
  })
