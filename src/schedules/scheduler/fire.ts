import { Clock, Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { createPipeline } from "../../pipelines/Pipelines.ts"
import { handle, load } from "../../platform/Commands.ts"
import type { Position } from "../../platform/eventStore/EventStore.ts"
import { nextId } from "../../platform/Ids.ts"
import { can, type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { Slot } from "../cron/nextSlot.ts"
import type { DeactivationReason, NextRun } from "../events.ts"
import type { DueSchedule, StartedSlot } from "../Queries.ts"
import { mayUse, targetOf } from "../refs.ts"
import { ScheduleLimits } from "../ScheduleLimits.ts"
import { slotAggregate } from "../slots/aggregate.ts"
import type { SkipReason } from "../slots/events.ts"
import { type DueSlots, dueSlots, type MissedPolicy } from "../slots/missed.ts"
import type { Schedule } from "../state.ts"
import { cronTimingOf, nextRunOf } from "../timing.ts"
import { variablesOf } from "../variables/values.ts"

export interface Firing {
  readonly policy: MissedPolicy
  /** Links begin with it. */
  readonly serverUrl: string
}

/** A schedule with the user as whom it runs, in its project. */
interface Owned {
  readonly id: number
  readonly schedule: Schedule
  readonly owner: UserRow
  readonly found: FoundProject
}

interface Outcome {
  readonly outcome: "created" | "failed"
  readonly message?: string
}

const failed = (message: string): Outcome => ({ outcome: "failed", message })

const shutOut = (owner: UserRow | undefined): DeactivationReason | undefined => {
  if (owner === undefined) return "owner_deleted"
  return owner.state === "active" ? undefined : `owner_${owner.state}`
}

const presentSchedule = Effect.fnUntraced(function* (id: number) {
  const { revision, state } = yield* load(scheduleAggregate, id)
  return state._tag === "Present" ? { schedule: state.schedule, revision } : undefined
})

/** Makes the pipeline of a slot, as the owner of the schedule. */
const makePipeline = Effect.fnUntraced(function* ({ found, id, owner, schedule }: Owned, pipelineId: number, firing: Firing) {
  const { description, ref } = schedule.settings
  const principal = principalOf({ user: owner }, found.role)
  const asker = { principal, project: found.project, userId: owner.id }
  if (!can("create_pipeline", principal, found.project) || !(yield* mayUse(asker, targetOf(ref)))) {
    return failed(`The owner of the schedule may not run pipelines on ${ref}`)
  }
  const created = yield* createPipeline({
    id: pipelineId,
    project: found.project,
    ref,
    source: "schedule",
    by: owner,
    variables: yield* variablesOf(id),
    serverUrl: firing.serverUrl,
    schedule: { id, description },
    keepsFaults: true
  })
  return created._tag === "Created" ? { outcome: "created" as const } : failed(created.texts.join(", "))
})

/** Tells when a schedule runs next, where it was changed while a slot was started that says otherwise. */
const reckon = Effect.fnUntraced(function* (id: number) {
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.ignore(handle(scheduleAggregate, id, { _tag: "Reckon", now, minInterval }))
})

/** Does what is left to do for a slot that was started, also by a process that is gone. */
export const finishSlot = Effect.fn("schedules.finishSlot")(function* (slot: StartedSlot, firing: Firing) {
  const { at, pipelineId, scheduleId } = slot
  const present = yield* presentSchedule(scheduleId)
  const owned = present && (yield* ownedOf(scheduleId, present.schedule))
  const end = owned === undefined ? failed("The schedule or its owner is gone") : yield* makePipeline(owned, pipelineId, firing)
  return yield* handle(slotAggregate, { scheduleId, at }, { _tag: "End", end })
})

const ownedOf = Effect.fnUntraced(function* (id: number, schedule: Schedule) {
  const owner = yield* Users.use((users) => users.find(schedule.ownerId))
  if (owner === undefined) return undefined
  const found = yield* Projects.use((projects) => projects.find(String(schedule.projectId), owner.id))
  const owned: Owned | undefined = found && { id, schedule, owner, found }
  return owned
})

/** Notes slots that pass, behind those that somebody started meanwhile. */
const skip = Effect.fnUntraced(function* (
  scheduleId: number,
  { isCutShort, skipped }: DueSlots,
  reason: SkipReason,
  nextRun: NextRun | null
) {
  const all = skipped.map(({ at }) => at)
  for (const [index, at] of all.entries()) {
    const command = { _tag: "Skip", skipped: { scheduleId, slots: all.slice(index), isCutShort, reason, nextRun } } as const
    const { events, position } = yield* handle(slotAggregate, { scheduleId, at }, command)
    if (events.length > 0) return position
  }
  return 0
})

/** Starts a slot, unless somebody has, and makes its pipeline. */
const start = Effect.fnUntraced(function* (
  id: number,
  { at, rule }: Slot,
  { nextRun, revision }: { readonly nextRun: NextRun | null; readonly revision: number },
  firing: Firing
) {
  const pipelineId = yield* nextId("pipeline")
  const slot = { scheduleId: id, at, rule, pipelineId, nextRun }
  const started = yield* handle(slotAggregate, { scheduleId: id, at }, { _tag: "Start", slot })
  if (started.events.length === 0) return started.position
  const after = yield* presentSchedule(id)
  if (after !== undefined && after.revision !== revision) yield* reckon(id)
  const ended = yield* finishSlot({ scheduleId: id, at, pipelineId }, firing)
  return ended.position
})

const reasonOf = ({ started }: DueSlots, isArchived: boolean): SkipReason => {
  if (isArchived) return "archived"
  return started.length > 0 ? "superseded" : "missed"
}

/** Lets a schedule run that is due: what was missed first. Answers the position of the last event, to wait for it in read models. */
export const fire = Effect.fn("schedules.fire")(function* ({ id, next_run_at: first }: DueSchedule, firing: Firing) {
  const present = yield* presentSchedule(id)
  if (present === undefined || !present.schedule.settings.isActive) return 0
  const { revision, schedule } = present
  const owned = yield* ownedOf(id, schedule)
  const reason = shutOut(owned?.owner)
  if (owned === undefined || reason !== undefined) {
    const command = { _tag: "Deactivate", ownerId: schedule.ownerId, reason: reason ?? "owner_deleted" } as const
    return yield* Effect.match(handle(scheduleAggregate, id, command), {
      onSuccess: ({ position }) => position,
      onFailure: () => 0
    })
  }
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  const timing = cronTimingOf(schedule.settings, minInterval)
  const { archived } = owned.found.project
  const due = timing === undefined ? undefined : dueSlots(timing, first, now, archived ? "none" : firing.policy)
  if (due === undefined || due.skipped.length + due.started.length === 0) {
    yield* reckon(id)
    return 0
  }
  const nextRun = nextRunOf(schedule.settings, { now, minInterval })
  let position: Position = yield* skip(id, due, reasonOf(due, archived), nextRun)
  for (const slot of due.started) position = Math.max(position, yield* start(id, slot, { nextRun, revision }, firing))
  return position
})
