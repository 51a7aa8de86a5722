import { zeroId } from "../../git/objectId.ts"
import { defined } from "../../kernel/defined.ts"
import { type MergeRequestOrigin, type NewJob, PipelineEvent } from "../../pipelines/events.ts"
import { isCompleted, type Status } from "../../pipelines/Pipelines.ts"
import { isOpen } from "../../pipelines/status.ts"
import type { Past } from "../../platform/recordPast.ts"
import { type Import, inOrder } from "./Import.ts"
import type { Job, Pipeline } from "./shapes/pipelines.ts"
import { millis } from "./shapes/values.ts"

const { cases } = PipelineEvent

type Told = ReadonlyArray<Past<PipelineEvent>>

/** A pipeline with its number, and what it is of. */
export type NumberedPipeline = Pipeline & { readonly iid: number; readonly ref: string }

/** A job with its place, and the id that it gets. */
export interface PlacedJob {
  readonly job: Job
  readonly isExternal: boolean
  readonly stage: string
  readonly stageIndex: number
  readonly id: number
}

/** The jobs of a pipeline in their order, with these ids. */
export const jobsOf = ({ stages }: Pipeline, ids: ReadonlyArray<number>): ReadonlyArray<PlacedJob> =>
  stages
    .flatMap(({ builds, generic_commit_statuses, name: stage, position, statuses }, index) => {
      const place = { stage, stageIndex: position ?? index }
      return [
        ...builds.map((job) => ({ job, isExternal: false, ...place })),
        ...generic_commit_statuses.map((job) => ({ job, isExternal: true, ...place })),
        ...statuses.map((job) => ({ job, isExternal: job.type === "GenericCommitStatus", ...place }))
      ]
    })
    .map((job, index) => ({ ...job, id: ids[index] ?? 0 }))

/** Nobody runs what was under way elsewhere: it is canceled. */
const settled = (status: Status): Status => (isOpen(status) || status === "canceling" ? "canceled" : status)

const planOf = ({ id, job, stage, stageIndex }: PlacedJob): NewJob => ({
  id,
  name: job.name,
  stage,
  stageIndex,
  when: "on_success",
  allowFailure: job.allow_failure,
  retry: { max: 0, when: [], exitCodes: [] },
  interruptible: false,
  tags: [],
  variables: [],
  definition: {}
})

/** The times at which a job was queued, started and ended; the last is told of every job that has ended. */
const timesOf = ({ created_at, finished_at, queued_at, started_at, status }: Job, updatedAt: number) => {
  const isOver = isCompleted(settled(status))
  const ended = finished_at === null ? (isCompleted(status) ? millis(created_at) : updatedAt) : millis(finished_at)
  return {
    queued: queued_at === null ? undefined : millis(queued_at),
    started: started_at === null ? undefined : millis(started_at),
    ended: isOver ? ended : undefined
  }
}

const ended = ({ id, job }: PlacedJob): PipelineEvent => {
  const status = settled(job.status)
  if (status !== "success" && status !== "failed") return cases.JobMoved.make({ id, status })
  const { coverage, failure_reason: failureReason } = job
  return cases.JobEnded.make({
    id,
    status,
    ...defined({ coverage: coverage ?? undefined, failureReason: failureReason ?? undefined })
  })
}

const ofBuild = (to: Import, placed: PlacedJob, pipeline: NumberedPipeline): Told => {
  const { id, job } = placed
  const by = to.people.of(job.user_id)
  const { projectId } = to
  const { queued, started, ...times } = timesOf(job, millis(pipeline.updated_at))
  const shared = { projectId, sha: pipeline.sha, ref: job.ref ?? pipeline.ref, isTag: pipeline.tag, by }
  const moved = (at: number | undefined, status: Status): Told =>
    at === undefined ? [] : [{ event: cases.JobMoved.make({ id, status }), at, by }]
  const at = millis(job.created_at)
  const last = times.ended ?? started ?? queued ?? at
  return [
    { event: cases.JobsAdded.make({ ...shared, jobs: [planOf(placed)], replaces: [] }), at, by },
    ...moved(queued, "pending"),
    ...moved(started, "running"),
    ...(job.status === "created" ? moved(last, settled("created")) : [{ event: ended(placed), at: last, by }])
  ]
}

/** With which status it was posted: the one that tells of that time. */
const firstStatus = (at: number, { queued, started, ended: end }: ReturnType<typeof timesOf>, last: Status): Status => {
  if (end === at && started === undefined && queued === undefined) return last
  if (started === at && queued === undefined) return "running"
  return queued === at ? "pending" : "created"
}

const ofStatus = (to: Import, { id, job }: PlacedJob, pipeline: NumberedPipeline): Told => {
  const by = to.people.of(job.user_id)
  const at = millis(job.created_at)
  const status = settled(job.status)
  const times = timesOf(job, millis(pipeline.updated_at))
  const first = firstStatus(at, times, status)
  const posted = cases.StatusPosted.make({
    id,
    projectId: to.projectId,
    sha: pipeline.sha,
    name: job.name,
    ref: job.ref ?? pipeline.ref,
    postedBy: by,
    status: first,
    details: { targetUrl: job.target_url, description: job.description, coverage: job.coverage },
    replaces: []
  })
  const changed = (time: number | undefined, next: Status): Told =>
    time === undefined || next === first
      ? []
      : [{ event: cases.StatusChanged.make({ id, status: next, details: {} }), at: time, by }]
  return [
    { event: posted, at, by },
    ...changed(times.queued, "pending"),
    ...changed(times.started, "running"),
    ...changed(times.ended ?? times.started ?? times.queued ?? at, status)
  ]
}

/** Jobs whose place others have taken. */
const replaced = (to: Import, jobs: ReadonlyArray<PlacedJob>, { ref, sha, tag, updated_at, user_id }: NumberedPipeline): Told => {
  const replaces = jobs.flatMap(({ id, job }) => (job.retried ? [id] : []))
  const by = to.people.of(user_id)
  const shared = { projectId: to.projectId, sha, ref, isTag: tag, by }
  return replaces.length === 0
    ? []
    : [{ event: cases.JobsAdded.make({ ...shared, jobs: [], replaces }), at: millis(updated_at), by }]
}

/** How far it came: it ran once it has a time for that, and ended as its status says. */
const progress = (to: Import, { finished_at, started_at, status, updated_at, user_id }: NumberedPipeline): Told => {
  const by = to.people.of(user_id)
  const last = settled(status)
  const moved = (at: string, next: Status, isStart: boolean): Past<PipelineEvent> => ({
    event: cases.PipelineMoved.make({ status: next, isStart }),
    at: millis(at),
    by
  })
  return [
    ...(started_at === null ? [] : [moved(started_at, "running", true)]),
    ...(last === "created" ? [] : [moved(finished_at ?? updated_at, last, false)])
  ]
}

/** All that is told of a pipeline with its jobs. */
export const eventsOf = (
  to: Import,
  pipeline: NumberedPipeline,
  jobs: ReadonlyArray<PlacedJob>,
  mergeRequest: MergeRequestOrigin | undefined
): Told => {
  const by = to.people.of(pipeline.user_id)
  const { before_sha, iid, pipeline_metadata, ref, sha, source, tag, updated_at, yaml_errors } = pipeline
  const name = pipeline_metadata?.name ?? null
  const created = cases.PipelineCreated.make({
    projectId: to.projectId,
    iid,
    sha,
    ref,
    isTag: tag,
    source: source ?? "push",
    createdBy: by,
    ...defined({
      beforeSha: before_sha === null || before_sha === zeroId ? undefined : before_sha,
      name: name ?? undefined,
      yamlErrors: yaml_errors ?? undefined,
      mergeRequest
    })
  })
  const moves = progress(to, pipeline)
  const happened = inOrder([
    { event: created, at: millis(pipeline.created_at), by },
    ...jobs.flatMap((job) => (job.isExternal ? ofStatus(to, job, pipeline) : ofBuild(to, job, pipeline))),
    ...replaced(to, jobs, pipeline),
    ...moves
  ])
  const at = millis(updated_at)
  const lastMove = moves.at(-1)?.at ?? millis(pipeline.created_at)
  return lastMove === at ? happened : [...happened, { event: cases.PipelineRenamed.make({ name }), at, by }]
}
