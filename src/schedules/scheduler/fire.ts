import { Clock, Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { createPipeline } from "../../pipelines/Pipelines.ts"
import { handle, handleNew, load } from "../../platform/Commands.ts"
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
const makePipeline = Effect.fnUntraced(function* (
  { found, id, owner, schedule }: Owned,
  { isNew, pipelineId }: { readonly pipelineId: number; readonly isNew: boolean },
  firing: Firing
) {
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
    keepsFaults: true,
    isNew
  })
  return created._tag === "Created" ? { outcome: "created" as const } : failed(created.texts.join(", "))
})

/** Tells when a schedule runs next, where it was changed while a slot was started that says otherwise. */
const reckon = Effect.fnUntraced(function* (id: number) {
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.ignore(handle(scheduleAggregate, id, { _tag: "Reckon", now, minInterval }))
})

const endSlot = ({ at, scheduleId }: StartedSlot, end: Outcome) =>
  Effect.asVoid(handle(slotAggregate, { scheduleId, at }, { _tag: "End", end }))

/** Does what is left to do for a slot that a process started which is gone. */
export const finishSlot = Effect.fn("schedules.finishSlot")(function* (slot: StartedSlot, firing: Firing) {
  const { pipelineId, scheduleId } = slot
  const present = yield* presentSchedule(scheduleId)
  const owned = present && (yield* ownedOf(scheduleId, present.schedule))
  const made = owned && (yield* makePipeline(owned, { pipelineId, isNew: false }, firing))
  yield* endSlot(slot, made ?? failed("The schedule or its owner is gone"))
})

/** Slots of a schedule that were started just now, in order, with what is known of it. */
export interface Begun {
  readonly owned: Owned
  readonly slots: ReadonlyArray<StartedSlot>
}

/** Makes the pipelines of slots that were started. */
export const makePipelines = Effect.fn("schedules.makePipelines")(function* ({ owned, slots }: Begun, firing: Firing) {
  for (const slot of slots) {
    yield* endSlot(slot, yield* makePipeline(owned, { pipelineId: slot.pipelineId, isNew: true }, firing))
  }
})

const ownedOf = Effect.fnUntraced(function* (id: number, schedule: Schedule) {
  const owner = yield* Users.use((users) => users.find(schedule.ownerId))
  if (owner === undefined) return undefined
  const found = yield* Projects.use((projects) => projects.find(String(schedule.projectId), owner.id))
  const owned: Owned | undefined = found && { id, schedule, owner, found }
  return owned
})

/** Notes slots that pass, behind those that somebody started meanwhile. Answers whether there were any. */
const skip = Effect.fnUntraced(function* (
  scheduleId: number,
  { isCutShort, skipped }: DueSlots,
  reason: SkipReason,
  nextRun: NextRun | null
) {
  const all = skipped.map(({ at }) => at)
  for (const [index, at] of all.entries()) {
    const command = { _tag: "Skip", skipped: { scheduleId, slots: all.slice(index), isCutShort, reason, nextRun } } as const
    const { events } = yield* handle(slotAggregate, { scheduleId, at }, command)
    if (events.length > 0) return true
  }
  return false
})

/** Starts a slot; undefined where somebody has. */
const start = Effect.fnUntraced(function* (scheduleId: number, { at, rule }: Slot, nextRun: NextRun | null) {
  const pipelineId = yield* nextId("pipeline")
  const slot = { scheduleId, at, rule, pipelineId, nextRun }
  const { events } = yield* handleNew(slotAggregate, { scheduleId, at }, { _tag: "Start", slot })
  const started: StartedSlot | undefined = events.length === 0 ? undefined : { scheduleId, at, pipelineId }
  return started
})

const reasonOf = ({ started }: DueSlots, isArchived: boolean): SkipReason => {
  if (isArchived) return "archived"
  return started.length > 0 ? "superseded" : "missed"
}

const runOf = ({ at, rule }: Slot): NextRun => ({ at, reason: rule })

/**
 * Starts the slots that are due, behind those that pass. Each event tells the slot after it as the next run, so that a process that dies
 * in between leaves the others due. `isTold` says whether the log has the run that comes after all of them.
 */
const startAll = Effect.fnUntraced(function* ({ found, id, schedule }: Owned, due: DueSlots, now: number) {
  const { minInterval } = yield* ScheduleLimits
  const later = nextRunOf(schedule.settings, { now, minInterval })
  const nextRuns = [...due.started.map(runOf), later]
  const isSkipped = yield* skip(id, due, reasonOf(due, found.project.archived), nextRuns[0] ?? null)
  const started = yield* Effect.forEach(due.started, (slot, index) => start(id, slot, nextRuns[index + 1] ?? null))
  const isTold = started.length > 0 ? started.at(-1) !== undefined : isSkipped
  return { slots: started.filter((slot) => slot !== undefined), isTold }
})

const deactivate = (id: number, ownerId: number, reason: DeactivationReason) =>
  Effect.ignore(handle(scheduleAggregate, id, { _tag: "Deactivate", ownerId, reason }))

/** Starts what is due of a schedule, and lets pass what was missed. Answers what was started; undefined for nothing. */
export const startDue = Effect.fn("schedules.startDue")(function* ({ id, next_run_at: first }: DueSchedule, firing: Firing) {
  const present = yield* presentSchedule(id)
  if (present === undefined || !present.schedule.settings.isActive) return undefined
  const { revision, schedule } = present
  const reason = shutOut(yield* Users.use((users) => users.find(schedule.ownerId)))
  if (reason !== undefined) return yield* Effect.as(deactivate(id, schedule.ownerId, reason), undefined)
  const owned = yield* ownedOf(id, schedule)
  // It came about while its project was deleted.
  if (owned === undefined) {
    return yield* Effect.as(Effect.ignore(handle(scheduleAggregate, id, { _tag: "Delete" })), undefined)
  }
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  const timing = cronTimingOf(schedule.settings, minInterval)
  const policy = owned.found.project.archived ? "none" : firing.policy
  const due = timing === undefined ? undefined : dueSlots(timing, first, now, policy)
  const isDue = due !== undefined && due.skipped.length + due.started.length > 0
  const { isTold, slots } = isDue ? yield* startAll(owned, due, now) : { isTold: false, slots: [] }
  const after = isTold ? yield* presentSchedule(id) : undefined
  // It was changed since, or when it was found due, or another process was faster, whose clock may differ.
  if (!isTold || (after !== undefined && after.revision !== revision)) yield* reckon(id)
  const begun: Begun = { owned, slots }
  return begun
})
