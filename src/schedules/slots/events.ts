import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"
import { NextRun, RunRule } from "../events.ts"

// Storage format: add cases and optional fields, never rename.

/** Why slots passed without a pipeline: nobody looked in time, a later one ran instead, or the project is archived. */
export const SkipReason = Schema.Literals(["missed", "superseded", "archived"])
export type SkipReason = typeof SkipReason.Type

const nextRun = Schema.NullOr(NextRun)

/** Times are milliseconds since 1970. */
export const SlotEvent = Schema.TaggedUnion({
  /** The slot is due, and its pipeline, with this id, is being made. */
  SlotStarted: { scheduleId: Schema.Int, at: Schema.Int, rule: RunRule, pipelineId: Schema.Int, nextRun },
  /** What came of it; the message says why there is no pipeline. */
  SlotEnded: { outcome: Schema.Literals(["created", "failed"]), message: Schema.optionalKey(Schema.String) },
  /** This slot and others after it passed. Of very many only the first ones are named. */
  SlotsSkipped: {
    scheduleId: Schema.Int,
    slots: Schema.Array(Schema.Int),
    isCutShort: Schema.Boolean,
    reason: SkipReason,
    nextRun
  }
})
export type SlotEvent = typeof SlotEvent.Type

export const slotCodec = eventCodec(SlotEvent)
