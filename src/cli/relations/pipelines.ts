import { Clock, Effect, Stream } from "effect"
import { type MergeRequestOrigin, pipelineCodec } from "../../pipelines/events.ts"
import { pipelineStream } from "../../pipelines/ids.ts"
import { nextId, nextIds } from "../../platform/Ids.ts"
import { recordPast } from "../../platform/recordPast.ts"
import { ScheduleEvent, scheduleCodec } from "../../schedules/events.ts"
import { scheduleStream } from "../../schedules/ids.ts"
import { ScheduleLimits } from "../../schedules/ScheduleLimits.ts"
import { nextRunOf } from "../../schedules/timing.ts"
import type { ExportFolder } from "./files.ts"
import { bringAll, type Import, untilChanged } from "./Import.ts"
import { eventsOf, jobsOf, type NumberedPipeline } from "./pipelineEvents.ts"
import { Pipeline, PipelineSchedule } from "./shapes/pipelines.ts"
import { millis } from "./shapes/values.ts"

/** The merge request that a pipeline was for, as far as it is known; undefined for none. */
const originOf = (to: Import, { merge_request: of }: Pipeline): MergeRequestOrigin | undefined => {
  const known = of === null ? undefined : to.mergeRequests.get(of.iid)
  if (of === null || known === undefined) return undefined
  const { projectId, projectPath } = to
  return {
    id: known.id,
    iid: of.iid,
    projectId,
    projectPath,
    versionId: known.versionId,
    baseSha: known.baseSha,
    sourceProjectId: known.sourceProjectId,
    sourceProjectPath: projectPath,
    sourceBranch: of.source_branch,
    targetBranch: of.target_branch,
    isTargetProtected: false,
    isSourceProtected: false,
    title: of.title,
    description: null,
    isDescriptionCut: false,
    assignees: [],
    squash: of.squash
  }
}

/** One without a number, as old ones are, gets the next one; one of which the branch is not known is called by its commit. */
const numbered = (to: Import, pipeline: Pipeline): NumberedPipeline => {
  if (pipeline.iid === null) to.highest.pipeline += 1
  return { ...pipeline, iid: pipeline.iid ?? to.highest.pipeline, ref: pipeline.ref ?? pipeline.sha }
}

const importPipeline = Effect.fnUntraced(function* (to: Import, id: number, record: Pipeline) {
  const pipeline = numbered(to, record)
  for (const { bridges } of pipeline.stages) to.lost.triggerJobs += bridges.length
  const jobs = jobsOf(pipeline, yield* nextIds("job", jobsOf(pipeline, []).length))
  yield* recordPast(pipelineCodec, pipelineStream(id), eventsOf(to, pipeline, jobs, originOf(to, pipeline)))
  to.onRecord()
})

/** Brings what is told of pipelines and their jobs. */
export const importPipelines = Effect.fn("cli.importPipelines")((to: Import, from: ExportFolder) =>
  bringAll(from.records("ci_pipelines", Pipeline), {
    kind: "pipeline",
    bring: (id, pipeline) => importPipeline(to, id, pipeline)
  })
)

const { cases } = ScheduleEvent

/** A schedule comes switched off, so that nothing runs twice because it is here and there; when it would run is told nevertheless. */
const importSchedule = Effect.fnUntraced(function* (to: Import, record: PipelineSchedule) {
  const { created_at, cron, cron_timezone: cronTimezone, description, owner_id, ref, updated_at } = record
  const id = yield* nextId("pipeline_schedule")
  const ownerId = to.people.of(owner_id)
  const settings = { description, ref, cron, cronTimezone, isActive: false }
  const { minInterval } = yield* ScheduleLimits
  const nextRun = nextRunOf(settings, { minInterval, now: yield* Clock.currentTimeMillis })
  const created = cases.ScheduleCreated.make({ projectId: to.projectId, ownerId, ...settings, nextRun })
  const changed = cases.ScheduleChanged.make({ changes: {} })
  const happened = untilChanged<ScheduleEvent>(
    [{ event: created, at: millis(created_at), by: ownerId }],
    changed,
    millis(updated_at)
  )
  yield* recordPast(scheduleCodec, scheduleStream(id), happened)
  to.onRecord()
})

/** Brings the pipeline schedules, without their variables, which are not exported. */
export const importSchedules = Effect.fn("cli.importSchedules")((to: Import, from: ExportFolder) =>
  Stream.runForEach(from.records("pipeline_schedules", PipelineSchedule), (record) => importSchedule(to, record))
)
