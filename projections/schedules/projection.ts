import { readFileSync } from "node:fs"
import { defined } from "#src/kernel/defined.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type NextRun, ScheduleEvent, type SkipReason, scheduleCodec } from "#src/schedules/events.ts"
import { scheduleIdOf } from "#src/schedules/ids.ts"
import { SlotEvent, type SlotPipeline, slotCodec, slotPipelineCodec } from "#src/schedules/slots/events.ts"
import { type SlotId, slotIdOf } from "#src/schedules/slots/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [schedules, variables, slots] = ["schedules", "variables", "slots"]

/** Null is no next run; nothing where it stays as it is. */
const columnsOf = (nextRun: NextRun | null | undefined) =>
  defined({
    next_run_at: nextRun === null ? null : nextRun?.at,
    next_run_reason: nextRun === null ? null : nextRun?.reason
  })

interface Place {
  readonly id: number
  readonly at: number
  readonly revision: number
}

const changes = (place: Place, event: ScheduleEvent): ReadonlyArray<Change> => {
  const { at, id, revision } = place
  const key = { id }
  const ofSchedule = { schedule_id: id }
  return ScheduleEvent.match(event, {
    ScheduleCreated: ({ _tag, nextRun, ...created }) => [
      idTaken("pipeline_schedule", id),
      put(schedules, {
        id,
        ...snakeCased(created),
        ...columnsOf(nextRun),
        revision,
        planned_by: revision,
        created_at: at,
        updated_at: at
      })
    ],
    ScheduleChanged: ({ changes: changed, nextRun }) => [
      patch(schedules, key, {
        ...snakeCased(changed),
        ...columnsOf(nextRun),
        revision,
        planned_by: revision,
        updated_at: at
      })
    ],
    NextRunReckoned: ({ nextRun }) => [patch(schedules, key, { ...columnsOf(nextRun), planned_by: revision })],
    OwnershipTaken: ({ ownerId }) => [patch(schedules, key, { owner_id: ownerId, updated_at: at })],
    ScheduleDeactivated: () => [patch(schedules, key, { is_active: false, updated_at: at })],
    ScheduleDeleted: () => [remove(schedules, key), removeWhere(variables, ofSchedule), removeWhere(slots, ofSchedule)],
    VariableAdded: ({ _tag, ...variable }) => [put(variables, { ...ofSchedule, ...snakeCased(variable), number: revision })],
    VariableChanged: ({ changes: changed, key: name }) => [patch(variables, { ...ofSchedule, key: name }, snakeCased(changed))],
    VariableRemoved: ({ key: name }) => [remove(variables, { ...ofSchedule, key: name })],
    Played: () => []
  })
}

/** What was skipped because a later one ran, or nothing may run, was seen; what was missed was seen by nobody in time. */
const stateOf = (reason: SkipReason) => (reason === "missed" ? "missed" : "skipped")

/** The next run that a slot tells, and of which settings. Those that were changed since then have to tell it again. */
const planned = ({ nextRun, scheduleRevision }: { readonly nextRun: NextRun | null; readonly scheduleRevision?: number }) => ({
  ...columnsOf(nextRun),
  ...defined({ planned_by: scheduleRevision })
})

const slotChanges = ({ at: slotAt, scheduleId }: SlotId, at: number, event: SlotEvent): ReadonlyArray<Change> =>
  SlotEvent.match(event, {
    SlotStarted: ({ pipelineId, rule, ...plan }) => [
      put(slots, {
        schedule_id: scheduleId,
        at: slotAt,
        state: "started",
        reason: rule,
        message: null,
        pipeline_id: pipelineId,
        noted_at: at,
        has_more: false
      }),
      patch(schedules, { id: scheduleId }, planned(plan))
    ],
    SlotEnded: ({ message, outcome }) => [
      patch(
        slots,
        { schedule_id: scheduleId, at: slotAt },
        { state: outcome === "created" ? "fired" : "failed", message: message ?? null }
      )
    ],
    SlotsSkipped: ({ isCutShort, reason, slots: skipped, ...plan }) => [
      ...skipped.map((each, index) =>
        put(slots, {
          schedule_id: scheduleId,
          at: each,
          state: stateOf(reason),
          reason,
          message: null,
          pipeline_id: null,
          noted_at: at,
          has_more: isCutShort && index === skipped.length - 1
        })
      ),
      patch(schedules, { id: scheduleId }, planned(plan))
    ]
  })

/** A slot is over when its pipeline is there. */
const pipelineMade = ({ scheduledFor, scheduleId }: SlotPipeline): ReadonlyArray<Change> =>
  scheduleId === undefined || scheduledFor === undefined
    ? []
    : [patch(slots, { schedule_id: scheduleId, at: scheduledFor }, { state: "fired" })]

/** Pipeline schedules with their variables, and what became of their slots. */
export const schedulesReadModel: ReadModel = {
  name: "schedules",
  version: 3,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [schedules]: ["id"], [variables]: ["schedule_id", "key"], [slots]: ["schedule_id", "at"] },
  projections: [
    on(slotCodec, (event, { at, stream }) => {
      const slot = slotIdOf(stream)
      return slot === undefined ? [] : slotChanges(slot, at, event)
    }),
    on(slotPipelineCodec, pipelineMade),
    on(scheduleCodec, (event, { at, revision, stream }) => {
      const id = scheduleIdOf(stream)
      return id === undefined ? [] : changes({ id, at, revision }, event)
    })
  ]
}
