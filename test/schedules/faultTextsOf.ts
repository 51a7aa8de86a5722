import { Result } from "effect"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import type { Command } from "#src/schedules/commands.ts"
import type { State } from "#src/schedules/state.ts"

/** What is wrong with a command, by attribute; none where it is not refused for that. */
export const faultTextsOf = (command: Command, state: State): Readonly<Record<string, ReadonlyArray<string>>> => {
  const decided = scheduleAggregate.decide(command, state)
  const faults = Result.isFailure(decided) && decided.failure._tag === "ScheduleInvalid" ? decided.failure.faults : []
  const byAttribute = Map.groupBy(faults, ({ attribute }) => attribute)
  return Object.fromEntries([...byAttribute].map(([attribute, group]) => [attribute, group.map(({ text }) => text)]))
}
