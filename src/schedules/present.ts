import { presentFaults as presentFaultsBy } from "../http/answer/faults.ts"
import { isoMillis, nullableIsoMillis } from "../http/answer/jsonTimes.ts"
import { userReference } from "../http/answer/shapes.ts"
import { type PipelineRow, type Place, presentReference } from "../pipelines/Pipelines.ts"
import type { Attribute, ScheduleFault } from "./faults.ts"
import type { ScheduleDetails, ScheduleRow } from "./Queries.ts"
import type { ListedSchedule, ReadSchedule, ScheduleDetail, ScheduledPipeline, ScheduleVariable } from "./shapes.ts"
import type { ClearVariable } from "./variableValues.ts"

export const presentListed = (row: ScheduleRow, externalUrl: string): typeof ListedSchedule.Type => ({
  id: row.id,
  description: row.description,
  ref: row.ref,
  cron: row.cron,
  cron_timezone: row.cron_timezone,
  next_run_at: nullableIsoMillis(row.next_run_at),
  active: row.is_active,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  owner: row.owner && userReference(row.owner, externalUrl)
})

export const presentDetail = (row: ScheduleDetails, place: Place): typeof ScheduleDetail.Type => ({
  ...presentListed(row, place.externalUrl),
  last_pipeline: row.last_pipeline && presentReference(row.last_pipeline, place)
})

/** `variables` are undefined for who may not see them. */
export const presentRead = (
  row: ScheduleDetails,
  variables: ReadonlyArray<ClearVariable> | undefined,
  place: Place
): typeof ReadSchedule.Type => ({
  ...presentDetail(row, place),
  ...(variables && { variables: variables.map(presentVariable) })
})

export const presentVariable = ({ key, raw, value, variable_type }: ClearVariable): typeof ScheduleVariable.Type => ({
  variable_type,
  key,
  value: value ?? null,
  raw
})

/** The source is called as the interface document has it in this list. */
export const presentScheduled = (row: PipelineRow, place: Place): typeof ScheduledPipeline.Type => {
  const { id, iid, project_id, ref, sha, status, created_at, updated_at, web_url } = presentReference(row, place)
  return { id, iid, project_id, sha, ref, status, source: "scheduled", created_at, updated_at, web_url }
}

const attributeKeys: Readonly<Record<Attribute, string>> = {
  base: "base",
  ref: "ref",
  cron: "cron",
  cronTimezone: "cron_timezone",
  description: "description",
  key: "key"
}

/** The texts by attribute, such as `{"cron":["syntax is invalid"]}`. */
export const presentFaults = (faults: ReadonlyArray<ScheduleFault>) =>
  presentFaultsBy(faults, (attribute) => attributeKeys[attribute])
