import { Result } from "effect"
import { defined } from "../kernel/defined.ts"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import {
  type AddVariable,
  type Change,
  type ChangeVariable,
  type Command,
  type Create,
  type Deactivate,
  type Decision,
  type NotePlay,
  type Refusal,
  ScheduleExists,
  ScheduleInvalid,
  ScheduleMissing,
  VariableMissing
} from "./commands.ts"
import { ScheduleEvent, type ScheduleSettings, scheduleCodec } from "./events.ts"
import { keyFaults, keyIsTaken, limitReached, type ScheduleFault, settingsFaults } from "./faults.ts"
import { scheduleStream } from "./ids.ts"
import { evolve, initial, type Schedule, type State, variableOf } from "./state.ts"
import { nextRunOf } from "./timing.ts"

const { cases } = ScheduleEvent
const nothing: Decision = Result.succeed([])
const one = (event: ScheduleEvent): Decision => Result.succeed([event])

const create = ({ minInterval, now, ownerId, projectId, reachedLimit, settings }: Create): Decision => {
  const faults = [...(reachedLimit === null ? [] : [limitReached(reachedLimit)]), ...settingsFaults(settings)]
  if (faults.length > 0) return Result.fail(new ScheduleInvalid({ faults }))
  const nextRun = nextRunOf(settings, { now, minInterval })
  return one(cases.ScheduleCreated.make({ projectId, ownerId, ...settings, nextRun }))
}

/**
 * Whether what is planned stays: where the times are the same, what is ahead, and what is due, which the scheduler is about to start. So
 * a change takes no run away, and brings none back that another process has started already by a clock that is ahead.
 */
const staysPlanned = ({ now, planned }: Change, before: ScheduleSettings, after: ScheduleSettings): boolean => {
  if (planned === null || before.cron !== after.cron || before.cronTimezone !== after.cronTimezone) return false
  return planned > now || (before.isActive && after.isActive)
}

/** What was planned for a time that has passed is planned anew, whatever else changes. */
const change = (command: Change, schedule: Schedule): Decision => {
  const changes = effectiveChanges(command.changes, schedule.settings)
  const settings = { ...schedule.settings, ...changes }
  const faults = settingsFaults(settings)
  if (faults.length > 0) return Result.fail(new ScheduleInvalid({ faults }))
  const nextRun = nextRunOf(settings, command)
  const isMoved = !staysPlanned(command, schedule.settings, settings) && (nextRun?.at ?? null) !== command.planned
  if (Object.keys(changes).length === 0 && !isMoved) return nothing
  return one(cases.ScheduleChanged.make({ changes, ...(isMoved && { nextRun }) }))
}

const deactivate = ({ ownerId, reason }: Deactivate, schedule: Schedule): Decision =>
  schedule.settings.isActive && schedule.ownerId === ownerId ? one(cases.ScheduleDeactivated.make({ reason })) : nothing

/** What is wrong with the key of a new variable. */
export const newKeyFaults = (key: string, schedule: Schedule): ReadonlyArray<ScheduleFault> => [
  ...keyFaults(key),
  ...(variableOf(schedule, key) === undefined ? [] : [keyIsTaken])
]

const addVariable = ({ key, variable }: AddVariable, schedule: Schedule): Decision => {
  const faults = newKeyFaults(key, schedule)
  return faults.length > 0 ? Result.fail(new ScheduleInvalid({ faults })) : one(cases.VariableAdded.make({ key, ...variable }))
}

const changeVariable = ({ changes: requested, key }: ChangeVariable, schedule: Schedule): Decision => {
  const variable = variableOf(schedule, key)
  if (variable === undefined) return Result.fail(new VariableMissing())
  const changes = effectiveChanges(requested, variable)
  return Object.keys(changes).length === 0 ? nothing : one(cases.VariableChanged.make({ key, changes }))
}

const removeVariable = (key: string, schedule: Schedule): Decision =>
  variableOf(schedule, key) === undefined ? Result.fail(new VariableMissing()) : one(cases.VariableRemoved.make({ key }))

const notePlay = ({ _tag, ...play }: NotePlay): Decision => one(cases.Played.make(play))

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new ScheduleExists())
  if (state._tag !== "Present") return Result.fail(new ScheduleMissing())
  const { schedule } = state
  switch (command._tag) {
    case "Change":
      return change(command, schedule)
    case "Reschedule":
      return one(cases.NextRunReckoned.make({ nextRun: nextRunOf(schedule.settings, command) }))
    case "TakeOwnership":
      return command.by === schedule.ownerId ? nothing : one(cases.OwnershipTaken.make({ ownerId: command.by }))
    case "Deactivate":
      return deactivate(command, schedule)
    case "AddVariable":
      return addVariable(command, schedule)
    case "ChangeVariable":
      return changeVariable(command, schedule)
    case "RemoveVariable":
      return removeVariable(command.key, schedule)
    case "NotePlay":
      return notePlay(command)
    case "Delete":
      return one(cases.ScheduleDeleted.make(defined({ nextRunAt: command.nextRunAt })))
  }
}

export const scheduleAggregate: Aggregate<number, Command, State, ScheduleEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: scheduleCodec,
  stream: scheduleStream
}
