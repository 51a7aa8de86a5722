import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { type Place, presentReference } from "../../pipelines/Pipelines.ts"
import type { PreviewEntry } from "../cron/preview.ts"
import type { SlotRow } from "../Queries.ts"
import type { Preview, Run } from "./contract.ts"

const reasons: Readonly<Record<SlotRow["reason"], Run["reason"]>> = {
  normal: "normal",
  movedOutOfGap: "moved_out_of_gap",
  missed: "missed",
  superseded: "superseded",
  archived: "archived"
}

export const presentRun = (row: SlotRow, place: Place): Run => ({
  scheduled_at: isoMillis(row.at),
  state: row.state,
  reason: reasons[row.reason],
  message: row.message,
  noted_at: isoMillis(row.noted_at),
  has_more: row.has_more,
  pipeline: row.pipeline && presentReference(row.pipeline, place)
})

const previewReasons: Readonly<Record<PreviewEntry["rule"], Preview["reason"]>> = {
  normal: "normal",
  movedOutOfGap: "moved_out_of_gap",
  suppressedInRepeat: "suppressed_in_repeat"
}

export const presentPreview = ({ at, local, offset, rule }: PreviewEntry): Preview => ({
  at: isoMillis(at),
  local_time: local,
  offset,
  reason: previewReasons[rule]
})
