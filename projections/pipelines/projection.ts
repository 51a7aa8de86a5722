import { readFileSync } from "node:fs"
import { defined } from "#src/kernel/defined.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type NewJob, type NewPipeline, PipelineEvent, pipelineCodec } from "#src/pipelines/events.ts"
import { pipelineIdOf } from "#src/pipelines/ids.ts"
import { externalStage, externalStageIndex, isCompleted, type Status } from "#src/pipelines/Pipelines.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [pipelines, jobs] = ["pipelines", "jobs"]

/** When a job that has this status from now on started and ended. */
const timesAt = (at: number, status: Status) =>
  defined({
    queued_at: status === "pending" ? at : undefined,
    started_at: status === "running" ? at : undefined,
    finished_at: isCompleted(status) ? at : undefined
  })

const newJob = (pipelineId: number, at: number) => ({
  pipeline_id: pipelineId,
  is_replaced: false,
  target_url: null,
  description: null,
  coverage: null,
  failure_reason: null,
  executor: null,
  created_at: at,
  queued_at: null,
  started_at: null,
  finished_at: null
})

const addedJob = ({ allowFailure, id, name, stage, stageIndex, tags }: NewJob) => ({
  id,
  name,
  stage,
  stage_index: stageIndex,
  status: "created",
  is_external: false,
  allow_failure: allowFailure,
  tags
})

const ofPipeline = ({ isTag, projectId, ref, sha }: Pick<NewPipeline, "isTag" | "projectId" | "ref" | "sha">) => ({
  project_id: projectId,
  sha,
  ref,
  is_tag: isTag
})

const replaced = (ids: ReadonlyArray<number>): ReadonlyArray<Change> =>
  ids.map((id) => patch(jobs, { id }, { is_replaced: true }))

const changes = (id: number, at: number, event: PipelineEvent): ReadonlyArray<Change> =>
  PipelineEvent.match(event, {
    PipelineCreated: ({
      _tag,
      isSkipped,
      mergeRequest,
      openMergeRequests,
      scheduledFor,
      scheduleDescription,
      variables,
      ...created
    }) => [
      idTaken("pipeline", id),
      put(pipelines, {
        id,
        name: null,
        before_sha: null,
        yaml_errors: null,
        schedule_id: null,
        ...snakeCased(created),
        merge_request_id: mergeRequest?.id ?? null,
        status: "created",
        created_at: at,
        updated_at: at,
        started_at: null,
        finished_at: null
      })
    ],
    StatusPosted: ({ _tag, details, postedBy, replaces, ...posted }) => [
      idTaken("job", posted.id),
      ...replaced(replaces),
      put(jobs, {
        ...newJob(id, at),
        ...snakeCased(posted),
        ...snakeCased(details),
        is_tag: false,
        stage: externalStage,
        stage_index: externalStageIndex,
        is_external: true,
        created_by: postedBy,
        allow_failure: false,
        tags: [],
        ...timesAt(at, posted.status)
      })
    ],
    StatusChanged: (changed) => [
      patch(jobs, { id: changed.id }, { ...snakeCased(changed.details), status: changed.status, ...timesAt(at, changed.status) })
    ],
    JobsAdded: ({ by, jobs: added, replaces, ...shared }) => [
      ...replaced(replaces),
      ...added.flatMap((job) => [
        idTaken("job", job.id),
        put(jobs, { ...newJob(id, at), ...addedJob(job), ...ofPipeline(shared), created_by: by })
      ])
    ],
    JobMoved: ({ by, id: job, status }) => [
      patch(jobs, { id: job }, { status, ...timesAt(at, status), ...defined({ created_by: by }) })
    ],
    JobClaimed: ({ executor, id: job }) => [patch(jobs, { id: job }, { status: "running", executor, started_at: at })],
    JobReturned: ({ id: job }) => [
      patch(jobs, { id: job }, { status: "pending", executor: null, queued_at: at, started_at: null })
    ],
    JobEnded: ({ allowFailure, coverage, failureReason, id: job, status }) => [
      patch(
        jobs,
        { id: job },
        {
          status,
          finished_at: at,
          ...defined({ allow_failure: allowFailure, coverage, failure_reason: failureReason })
        }
      )
    ],
    PipelineMoved: ({ isStart, status }) => [
      patch(
        pipelines,
        { id },
        {
          status,
          updated_at: at,
          ...defined({ started_at: isStart ? at : undefined, finished_at: isCompleted(status) ? at : undefined })
        }
      )
    ],
    PipelineRenamed: ({ name }) => [patch(pipelines, { id }, { name, updated_at: at })],
    PipelineDeleted: () => [remove(pipelines, { id }), removeWhere(jobs, { pipeline_id: id })]
  })

/** Pipelines with their jobs. */
export const pipelinesReadModel: ReadModel = {
  name: "pipelines",
  version: 6,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [pipelines]: ["id"], [jobs]: ["id"] },
  projections: [
    on(pipelineCodec, (event, { at, stream }) => {
      const id = pipelineIdOf(stream)
      return id === undefined ? [] : changes(id, at, event)
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      if (event._tag !== "ProjectDeleted" || projectId === undefined) return []
      return [removeWhere(pipelines, { project_id: projectId }), removeWhere(jobs, { project_id: projectId })]
    })
  ]
}
