import { Effect } from "effect"
import type { PipelineVariable } from "../pipelines/Pipelines.ts"
import { Secrets } from "../platform/secrets/Secrets.ts"
import { scheduleStream } from "./ids.ts"
import { ScheduleQueries, type VariableRow } from "./Queries.ts"

/** A variable in clear. */
export interface ClearVariable extends Omit<VariableRow, "value"> {
  /** The value; undefined where it cannot be read any more. */
  readonly value: string | undefined
}

/** The variables of a schedule in clear, in the order in which they were added. */
export const clearVariables = Effect.fn("schedules.clearVariables")(function* (scheduleId: number) {
  const rows = yield* ScheduleQueries.use((schedules) => schedules.variables(scheduleId))
  const sealed = rows.map(({ value }) => value)
  const values = yield* Secrets.use((secrets) => secrets.openAll(scheduleStream(scheduleId), sealed))
  return rows.map((row, index): ClearVariable => ({ ...row, value: values[index] }))
})

/** The same of one variable; undefined where there is none. */
export const clearVariable = Effect.fnUntraced(function* (scheduleId: number, key: string) {
  const row = yield* ScheduleQueries.use((schedules) => schedules.variable(scheduleId, key))
  if (row === undefined) return undefined
  const variable: ClearVariable = {
    ...row,
    value: yield* Secrets.use((secrets) => secrets.open(scheduleStream(scheduleId), row.value))
  }
  return variable
})

/** The variables that a pipeline of the schedule gets. What cannot be read any more is left out. */
export const variablesOf = (scheduleId: number) =>
  Effect.map(clearVariables(scheduleId), (variables) =>
    variables.flatMap(
      ({ key, raw, value, variable_type: variableType }): ReadonlyArray<PipelineVariable> =>
        value === undefined ? [] : [{ key, value, variableType, raw }]
    )
  )
