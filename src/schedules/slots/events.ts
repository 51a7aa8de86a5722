import { Schema, Struct } from "effect"
import { NewPipeline } from "../../pipelines/events.ts"
import { eventCodec } from "../../platform/eventStore/codec.ts"
import { NextRun, RunRule, SkipReason } from "../events.ts"

// Storage format: add cases and optional fields, never rename.

/** The next run, and the revision of the schedule whose settings it follows from. */
const plan = { nextRun: Schema.NullOr(NextRun), scheduleRevision: Schema.optionalKey(Schema.Int) }

/** Times are milliseconds since 1970. */
export const SlotEvent = Schema.TaggedUnion({
  /** The slot is due, and its pipeline, with this id, is being made. The slot is over when that is there. */
  SlotStarted: { scheduleId: Schema.Int, at: Schema.Int, rule: RunRule, pipelineId: Schema.Int, ...plan },
  /** The slot is over without its pipeline telling so; the message says why there is none. */
  SlotEnded: { outcome: Schema.Literals(["created", "failed"]), message: Schema.optionalKey(Schema.String) },
  /** This slot and others after it passed. Of very many only the first ones are named; of the others, when the last one was. */
  SlotsSkipped: {
    scheduleId: Schema.Int,
    slots: Schema.Array(Schema.Int),
    isCutShort: Schema.Boolean,
    lastAt: Schema.optionalKey(Schema.Int),
    reason: SkipReason,
    ...plan
  }
})
export type SlotEvent = typeof SlotEvent.Type

export const slotCodec = eventCodec(SlotEvent)

/** What a pipeline that begins tells of the slot that it is for. */
export const SlotPipeline = Schema.TaggedUnion({
  PipelineCreated: Struct.pick(NewPipeline.fields, ["scheduleId", "scheduledFor"])
})
export type SlotPipeline = typeof SlotPipeline.Type

export const slotPipelineCodec = eventCodec(SlotPipeline)
