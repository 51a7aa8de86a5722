import { Clock, Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { handle, handleNew, load } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { Slot } from "../cron/nextSlot.ts"
import type { DeactivationReason, NextRun, SkipReason } from "../events.ts"
import { type DueSchedule, ScheduleQueries, type StartedSlot } from "../Queries.ts"
import { ScheduleLimits } from "../ScheduleLimits.ts"
import { slotAggregate } from "../slots/aggregate.ts"
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

/** Tells anew when a schedule runs next: the first time by its present settings after another one. */
const reschedule = Effect.fnUntraced(function* (id: number, after: number) {
  const { minInterval } = yield* ScheduleLimits
  return yield* Effect.ignore(handle(scheduleAggregate, id, { _tag: "Reschedule", now: after, minInterval }))
})

/**
 * Tells anew when a schedule runs next where somebody was faster with a slot, such as a process whose clock differs, or another leader
 * while this one stood still: what that slot planned, unless the settings are others by now.
 */
const rescheduleBehind = Effect.fnUntraced(function* ({ id, revision }: DueSchedule, at: number) {
  const { state } = yield* load(slotAggregate, { scheduleId: id, at })
  const planned = state._tag === "Open" || state.plan.scheduleRevision !== revision ? null : state.plan.nextRun
  yield* reschedule(id, planned === null ? yield* Clock.currentTimeMillis : planned.at - 1)
})

/** Notes slots that pass, in the stream of the first one. Answers whether nobody was faster. */
const skip = Effect.fnUntraced(function* (scheduleId: number, due: DueSlots, reason: SkipReason, plan: Plan) {
  const { isCutShort, lastSkipped, skipped } = due
  const slots = skipped.map(({ at }) => at)
  const [at] = slots
  if (at === undefined) return true
  const command = {
    _tag: "Skip",
    skipped: { scheduleId, slots, isCutShort, ...defined({ lastAt: lastSkipped?.at }), reason, ...plan }
  } as const
  const { events } = yield* handle(slotAggregate, { scheduleId, at }, command)
  return events.length > 0
})

/** Without slots that were started already, which nobody skips any more: a clock that is set back may find them due again. */
const withoutStarted = Effect.fnUntraced(function* (scheduleId: number, due: DueSlots) {
  if (due.skipped.length < 2) return due
  const among = due.skipped.map(({ at }) => at)
  const started = new Set(yield* ScheduleQueries.use((schedules) => schedules.started(scheduleId, among)))
  return { ...due, skipped: due.skipped.filter(({ at }) => !started.has(at)) }
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
 * in between leaves the others due. Where somebody was faster with one, the rest is theirs, or is found due again.
 */
const startAll = Effect.fnUntraced(function* (row: DueSchedule, due: DueSlots, isArchived: boolean, round: Round) {
  const { id, revision } = row
  const nextRuns = [...due.started, due.next].map(runOf)
  const plan = (index: number): Plan => ({ nextRun: nextRuns[index] ?? null, scheduleRevision: revision })
  const slots: Array<StartedSlot> = []
  const [firstSkipped] = due.skipped
  if (firstSkipped !== undefined && !(yield* skip(id, due, reasonOf(due, isArchived), plan(0)))) {
    yield* rescheduleBehind(row, firstSkipped.at)
    return slots
  }
  for (const [index, slot] of due.started.entries()) {
    const started = yield* start(id, slot, yield* round.takePipelineId, plan(index + 1))
    if (started === undefined) {
      yield* rescheduleBehind(row, slot.at)
      return slots
    }
    slots.push(started)
  }
  return slots
})

const deactivate = (id: number, ownerId: number, reason: DeactivationReason) =>
  Effect.ignore(handle(scheduleAggregate, id, { _tag: "Deactivate", ownerId, reason }))

/** What becomes of the slots until now; undefined for none, also where all of them have run. */
const dueOf = Effect.fnUntraced(function* (
  { cron, cron_timezone, id, next_run_at: first }: DueSchedule,
  policy: MissedPolicy | "none"
) {
  const { minInterval } = yield* ScheduleLimits
  const timing = cronTimingOf({ cron, cronTimezone: cron_timezone }, minInterval)
  if (timing === undefined || first === null) return undefined
  const due = yield* withoutStarted(id, yield* inSlices(dueSlots(timing, first, yield* Clock.currentTimeMillis, policy)))
  return due.skipped.length + due.started.length > 0 ? due : undefined
})

/** Starts what is due of a schedule, and lets pass what was missed. Answers what was started; undefined for nothing. */
export const startDue = Effect.fnUntraced(function* (row: DueSchedule, round: Round) {
  const { id, owner_id: ownerId, project_id: projectId } = row
  if (row.is_stale) return yield* Effect.as(reschedule(id, row.updated_at), undefined)
  const authority = yield* round.authorityOf({ ownerId, projectId })
  if (!isAuthority(authority)) {
    const { blockedFor } = authority
    // It came about while its project was deleted.
    const end =
      blockedFor === undefined
        ? Effect.ignore(handle(scheduleAggregate, id, { _tag: "Delete" }))
        : deactivate(id, ownerId, blockedFor)
    return yield* Effect.as(end, undefined)
  }
  const { archived } = authority.found.project
  const due = yield* dueOf(row, archived ? "none" : round.policy)
  // Another process took it for due, whose clock or shortest time between runs differs, or a clock was set back.
  if (due === undefined) return yield* Effect.as(reschedule(id, yield* Clock.currentTimeMillis), undefined)
  const begun: Begun = { authority, scheduleId: id, slots: yield* startAll(row, due, archived, round) }
  return begun
}, spanned("schedules.startDue"))
