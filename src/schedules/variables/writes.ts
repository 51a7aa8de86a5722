import { Effect } from "effect"
import { handle, history, load } from "../../platform/Commands.ts"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { newKeyFaults, scheduleAggregate } from "../aggregate.ts"
import { type Command, ScheduleInvalid, ScheduleMissing, VariableMissing } from "../commands.ts"
import type { Variable } from "../events.ts"
import { scheduleStream } from "../ids.ts"
import { initial, variableOf } from "../state.ts"
import type { ClearVariable } from "../variableValues.ts"

/** Sends a command with a value that was sealed for it. Sealing made a key again if the schedule was deleted meanwhile. */
const handleSealed = (id: number, command: Command) =>
  Effect.tapErrorTag(handle(scheduleAggregate, id, command), "ScheduleMissing", () =>
    Secrets.use((secrets) => secrets.deleteKey(scheduleStream(id)))
  )

interface NewVariable {
  readonly key: string
  /** The value in clear. */
  readonly value: string
  readonly variableType: Variable["variableType"]
}

/** Adds a variable to a schedule. */
export const addVariable = Effect.fn("schedules.addVariable")(function* (id: number, added: NewVariable) {
  const { key, value, variableType } = added
  const { state } = yield* load(scheduleAggregate, id)
  if (state._tag !== "Present") return yield* new ScheduleMissing()
  // Nothing is sealed for what is refused.
  const faults = newKeyFaults(key, state.schedule)
  if (faults.length > 0) return yield* new ScheduleInvalid({ faults })
  const sealed = yield* Secrets.use((secrets) => secrets.seal(scheduleStream(id), value))
  return yield* handleSealed(id, { _tag: "AddVariable", key, variable: { variableType, value: sealed, raw: false } })
})

type Change = Omit<NewVariable, "variableType"> & Partial<Pick<NewVariable, "variableType">>

/** Changes a variable of a schedule. One that has the value already keeps it as it was sealed. */
export const changeVariable = Effect.fn("schedules.changeVariable")(function* (id: number, change: Change) {
  const { key, value, ...others } = change
  const { state } = yield* load(scheduleAggregate, id)
  if (state._tag !== "Present") return yield* new ScheduleMissing()
  const variable = variableOf(state.schedule, key)
  if (variable === undefined) return yield* new VariableMissing()
  const [secrets, stream] = [yield* Secrets, scheduleStream(id)]
  const isSame = (yield* secrets.open(stream, variable.value)) === value
  const changes = isSame ? others : { ...others, value: yield* secrets.seal(stream, value) }
  return yield* handleSealed(id, { _tag: "ChangeVariable", key, changes })
})

/** Removes a variable from a schedule. Answers with what it was, in a repeat too. */
export const removeVariable = Effect.fn("schedules.removeVariable")(function* (id: number, key: string) {
  const handled = yield* handle(scheduleAggregate, id, { _tag: "RemoveVariable", key })
  const { events } = yield* history(scheduleAggregate, id)
  const removal = events.findLastIndex((event) => event._tag === "VariableRemoved" && event.key === key)
  const before = events.slice(0, removal).reduce(scheduleAggregate.evolve, initial)
  const variable = before._tag === "Present" ? variableOf(before.schedule, key) : undefined
  if (variable === undefined) return yield* new VariableMissing()
  const value = yield* Secrets.use((secrets) => secrets.open(scheduleStream(id), variable.value))
  const removed: ClearVariable = { key, variable_type: variable.variableType, value, raw: variable.raw }
  return { ...handled, removed }
})
