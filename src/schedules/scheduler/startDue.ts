import { Clock, Effect } from "effect"
import { handle, handleNew } from "../../platform/Commands.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { Slot } from "../cron/nextSlot.ts"
import type { DeactivationReason, NextRun } from "../events.ts"
import type { DueSchedule, StartedSlot } from "../Queries.ts"
import { ScheduleLimits } from "../ScheduleLimits.ts"
import { slotAggregate } from "../slots/aggregate.ts"
import type { SkipReason } from "../slots/events.ts"
import { type DueSlots, dueSlots, type MissedPolicy } from "../slots/missed.ts"
import { cronTimingOf } from "../timing.ts"
import { type Authority, isAuthority, type NoAuthority, type Owned } from "./authorities.ts"
import type { Begun } from "./makePipelines.ts"

/** What the schedules of one round share. */
export interface Round {
  readonly policy: MissedPolicy
  readonly authorityOf: (owned: Owned) => Effect.Effect<Authority | NoAuthority>
  readonly takePipelineId: Effect.Effect<number, never, Sql>
}

/** What a slot tells of the time after it, and of which settings. */
interface Plan {
  readonly nextRun: NextRun | null
  readonly scheduleRevision: number
}

/** Tells when a schedule runs next, where it was changed while a slot was started that says otherwise. */
const reckon = Effect.fnUntraced(function* (id: number) {
  const { minInterval } = yield* ScheduleLimits
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.ignore(handle(scheduleAggregate, id, { _tag: "Reckon", now, minInterval }))
})

/** Notes slots that pass, behind those that somebody started meanwhile. Answers whether there were any. */
const skip = Effect.fnUntraced(function* (scheduleId: number, { isCutShort, skipped }: DueSlots, reason: SkipReason, plan: Plan) {
  const all = skipped.map(({ at }) => at)
  for (const [index, at] of all.entries()) {
    const command = { _tag: "Skip", skipped: { scheduleId, slots: all.slice(index), isCutShort, reason, ...plan } } as const
    const { events } = yield* handle(slotAggregate, { scheduleId, at }, command)
    if (events.length > 0) return true
  }
  return false
})

/** Starts a slot; undefined where somebody has. */
const start = Effect.fnUntraced(function* (scheduleId: number, { at, rule }: Slot, pipelineId: number, plan: Plan) {
  const slot = { scheduleId, at, rule, pipelineId, ...plan }
  const { events } = yield* handleNew(slotAggregate, { scheduleId, at }, { _tag: "Start", slot })
  const started: StartedSlot | undefined = events.length === 0 ? undefined : { scheduleId, at, pipelineId }
  return started
})

const reasonOf = ({ started }: DueSlots, isArchived: boolean): SkipReason => {
  if (isArchived) return "archived"
  return started.length > 0 ? "superseded" : "missed"
}

const runOf = (slot: Slot | undefined): NextRun | null => (slot === undefined ? null : { at: slot.at, reason: slot.rule })

/**
 * Starts the slots that are due, behind those that pass. Each event tells the slot after it as the next run, so that a process that dies
 * in between leaves the others due. `isTold` says whether the log has the run that comes after all of them.
 */
const startAll = Effect.fnUntraced(function* ({ id, revision }: DueSchedule, due: DueSlots, isArchived: boolean, round: Round) {
  const nextRuns = [...due.started, due.next].map(runOf)
  const plan = (index: number): Plan => ({ nextRun: nextRuns[index] ?? null, scheduleRevision: revision })
  const isSkipped = yield* skip(id, due, reasonOf(due, isArchived), plan(0))
  const started = yield* Effect.forEach(due.started, (slot, index) =>
    Effect.flatMap(round.takePipelineId, (pipelineId) => start(id, slot, pipelineId, plan(index + 1)))
  )
  const isTold = started.length > 0 ? started.at(-1) !== undefined : isSkipped
  return { slots: started.filter((slot) => slot !== undefined), isTold }
})

const deactivate = (id: number, ownerId: number, reason: DeactivationReason) =>
  Effect.ignore(handle(scheduleAggregate, id, { _tag: "Deactivate", ownerId, reason }))

/** What becomes of the slots until now; undefined for none. */
const dueOf = Effect.fnUntraced(function* (
  { cron, cron_timezone, next_run_at: first }: DueSchedule,
  policy: MissedPolicy | "none"
) {
  const { minInterval } = yield* ScheduleLimits
  const timing = cronTimingOf({ cron, cronTimezone: cron_timezone }, minInterval)
  const due = timing === undefined || first === null ? undefined : dueSlots(timing, first, yield* Clock.currentTimeMillis, policy)
  return due !== undefined && due.skipped.length + due.started.length > 0 ? due : undefined
})

/** Starts what is due of a schedule, and lets pass what was missed. Answers what was started; undefined for nothing. */
export const startDue = Effect.fn("schedules.startDue")(function* (row: DueSchedule, round: Round) {
  const { description, has_variables: hasVariables, id, owner_id: ownerId, project_id: projectId, ref } = row
  if (row.is_stale) return yield* Effect.as(reckon(id), undefined)
  const authority = yield* round.authorityOf({ ownerId, projectId })
  if (!isAuthority(authority)) {
    const { shutOut } = authority
    // It came about while its project was deleted.
    const end =
      shutOut === undefined ? Effect.ignore(handle(scheduleAggregate, id, { _tag: "Delete" })) : deactivate(id, ownerId, shutOut)
    return yield* Effect.as(end, undefined)
  }
  const { archived } = authority.found.project
  const due = yield* dueOf(row, archived ? "none" : round.policy)
  const { isTold, slots } = due === undefined ? { isTold: false, slots: [] } : yield* startAll(row, due, archived, round)
  // Another process was faster, whose clock may differ.
  if (!isTold) yield* reckon(id)
  const begun: Begun = { maker: { authority, scheduleId: id, description, ref, hasVariables }, slots }
  return begun
})
