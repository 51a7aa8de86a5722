import { array, none, nothing, object, timeOf } from "./json.ts"
import { mergeRequestColumns } from "./mergeRequests.ts"
import { lines, type Records } from "./Records.ts"

/** Seconds in which a job of a finished pipeline ran, those of jobs that ran at the same time once. */
const duration = `case when p.finished_at is not null then (
  select floor(sum(greatest(0, _d.finished_at - greatest(_d.started_at, _d.until))) / 1000)::bigint from (
    select _j.started_at, _j.finished_at, coalesce(max(_j.finished_at) over (
      order by _j.started_at, _j.id rows between unbounded preceding and 1 preceding), 0) as until
    from rm_pipelines.jobs _j where _j.pipeline_id = p.id and not _j.is_replaced
      and _j.started_at is not null and _j.finished_at is not null) _d) end`

const job = `_j.name, _j.stage, _j.stage_index as stage_idx, _j.status, ${timeOf("_j", "created_at")}, ${timeOf("_j", "queued_at")},
  ${timeOf("_j", "started_at")}, ${timeOf("_j", "finished_at")}, _j.coverage, _j.allow_failure, _j.failure_reason, _j.is_tag as tag, _j.ref,
  _j.project_id, _j.created_by as user_id, _j.target_url, _j.description, _j.is_replaced as retried,
  case when _j.is_external then 'GenericCommitStatus' else 'Ci::Build' end as type`

const jobs = (isExternal: boolean): string =>
  array(`select ${job} from rm_pipelines.jobs _j
    where _j.pipeline_id = p.id and _j.stage_index = _s.position and ${isExternal ? "" : "not "}_j.is_external order by _j.id`)

/** Jobs that count decide the status of a stage; a stage is told as the last of its jobs stands. */
const stages = array(`select _s.name, _s.position, p.project_id, ${timeOf("p", "created_at")}, ${timeOf("p", "updated_at")},
  ${jobs(false)} as builds, ${jobs(true)} as generic_commit_statuses, ${none("bridges")}
  from (select _j.stage_index as position, min(_j.stage) as name from rm_pipelines.jobs _j where _j.pipeline_id = p.id
    group by _j.stage_index) _s order by _s.position`)

const columns = `p.ref, p.sha, coalesce(p.before_sha, repeat('0', 40)) as before_sha, ${timeOf("p", "created_at")}, ${timeOf("p", "updated_at")}, p.is_tag as tag, p.yaml_errors,
  ${nothing("committed_at")}, p.project_id, p.status, ${timeOf("p", "started_at")}, ${timeOf("p", "finished_at")},
  ${duration} as duration, p.created_by as user_id, 0 as lock_version, p.source,
  ${nothing("protected", "config_source", "failure_reason")}, p.iid, ${nothing("source_sha", "target_sha")}, ${stages} as stages,
  ${nothing("external_pull_request")},
  ${object(`select ${mergeRequestColumns.replace("t.description", "null::text as description")} from rm_merge_requests.merge_requests m
    join rm_merge_requests.texts t on t.project_id = m.project_id and t.iid = m.iid where m.id = p.merge_request_id`)} as merge_request,
  ${object("select p.project_id, p.name where p.name is not null")} as pipeline_metadata`

const ciPipelines: Records = {
  relation: "ci_pipelines",
  statements: [lines(columns, { from: "rm_pipelines.pipelines p where p.project_id = $1", order: "p.id" })]
}

const schedules: Records = {
  relation: "pipeline_schedules",
  statements: [
    lines(
      `s.description, s.ref, s.cron, s.cron_timezone, ${timeOf("s", "next_run_at")}, s.project_id, s.owner_id, s.is_active as active,
      ${timeOf("s", "created_at")}, ${timeOf("s", "updated_at")}`,
      { from: "rm_schedules.schedules s where s.project_id = $1", order: "s.id" }
    )
  ]
}

export const pipelines: ReadonlyArray<Records> = [ciPipelines, schedules]
