import { Clock, Effect } from "effect"
import { awaitHead } from "../http/awaitHead.ts"
import { handle, history, requireAcceptable } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { Secrets } from "../platform/secrets/Secrets.ts"
import { scheduleAggregate } from "./aggregate.ts"
import { type Create, ScheduleMissing } from "./commands.ts"
import type { ScheduleEvent, SettingsChanges } from "./events.ts"
import { scheduleStream } from "./ids.ts"
import { ScheduleQueries, type ScheduleRow } from "./Queries.ts"
import { ScheduleLimits } from "./ScheduleLimits.ts"
import { initial, type Schedule } from "./state.ts"

export type NewSchedule = Pick<Create, "ownerId" | "projectId" | "settings">

const creationOf = Effect.fnUntraced(function* (input: NewSchedule) {
  const { minInterval, perProject } = yield* ScheduleLimits
  const isFull = perProject > 0 && (yield* ScheduleQueries.use(({ count }) => count(input.projectId))) >= perProject
  const reachedLimit = isFull ? perProject : null
  const command: Create = { _tag: "Create", ...input, now: yield* Clock.currentTimeMillis, minInterval, reachedLimit }
  yield* requireAcceptable(scheduleAggregate, initial, command)
  return command
})

const append = Effect.fnUntraced(function* (command: Create) {
  const id = yield* nextId("pipeline_schedule")
  return { ...(yield* handle(scheduleAggregate, id, command)), id }
})

/** Creates a schedule. Where a project may have only so many, one of it is created at a time, when all others are counted. */
export const createSchedule = Effect.fn("schedules.create")(function* (input: NewSchedule) {
  const { lockOf, perProject } = yield* ScheduleLimits
  // What is refused waits for nobody.
  const command = yield* creationOf(input)
  if (perProject === 0) return yield* append(command)
  const counted = Effect.andThen(awaitHead("schedules cannot be counted"), creationOf(input))
  return yield* lockOf(input.projectId).withLock(Effect.flatMap(counted, append))
})

/** Changes a schedule; absent settings stay as they are. */
export const changeSchedule = Effect.fn("schedules.change")(function* (
  { id, next_run_at: planned }: Pick<ScheduleRow, "id" | "next_run_at">,
  changes: SettingsChanges
) {
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  return yield* handle(scheduleAggregate, id, { _tag: "Change", changes, planned, now, minInterval })
})

/** What the time at which a schedule was last changed is that of. */
const updating: ReadonlySet<ScheduleEvent["_tag"]> = new Set([
  "ScheduleCreated",
  "ScheduleChanged",
  "OwnershipTaken",
  "ScheduleDeactivated"
])

/** What a schedule was before it was deleted. Times are milliseconds since 1970. */
export interface Remains {
  readonly schedule: Schedule
  readonly createdAt: number
  readonly updatedAt: number
  readonly nextRunAt: number | null
}

const remainsOf = Effect.fnUntraced(function* (id: number) {
  const { events, recorded } = yield* history(scheduleAggregate, id)
  const state = events.filter(({ _tag }) => _tag !== "ScheduleDeleted").reduce(scheduleAggregate.evolve, initial)
  const update = recorded[events.findLastIndex(({ _tag }) => updating.has(_tag))]
  const [creation, deletion] = [recorded.at(0), events.at(-1)]
  if (state._tag !== "Present" || !creation || !update || deletion?._tag !== "ScheduleDeleted")
    return yield* Effect.die(new ScheduleMissing())
  const remains: Remains = {
    schedule: state.schedule,
    createdAt: creation.at,
    updatedAt: update.at,
    nextRunAt: deletion.nextRunAt ?? null
  }
  return remains
})

/** Deletes a schedule that was shown with this next run; the values of its variables can never be read again. Answers with what it was, in a repeat too. */
export const removeSchedule = Effect.fn("schedules.remove")(function* (id: number, nextRunAt: number | null) {
  const handled = yield* handle(scheduleAggregate, id, { _tag: "Delete", nextRunAt })
  yield* Secrets.use((secrets) => secrets.deleteKey(scheduleStream(id)))
  return { ...handled, remains: yield* remainsOf(id) }
})
