import { type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** The same as `HeadPipelineOf`, in SQL. */
interface Expressions {
  readonly id: Fragment
  readonly sourceProjectId: Fragment
  readonly sourceBranch: Fragment
  readonly sha: Fragment
}

/** The columns of the merge request `m` of an outer query. */
export const ofRow: Expressions = {
  id: raw("m.id"),
  sourceProjectId: raw("m.source_project_id"),
  sourceBranch: raw("m.source_branch"),
  sha: raw("m.sha")
}

/** The pipeline that counts for a merge request, found by indexes: the newest that was made for it, else the newest of its branch. */
export const headPipeline = ({ id, sha, sourceBranch, sourceProjectId }: Expressions): Fragment => sql`
  select _h.* from (
    (select 0 as turn, _p.id, _p.project_id, _p.status from rm_pipelines.pipelines _p
      where _p.merge_request_id = ${id} and _p.sha = ${sha} order by _p.id desc limit 1)
    union all
    (select 1, _p.id, _p.project_id, _p.status from rm_pipelines.pipelines _p
      where _p.project_id = ${sourceProjectId} and _p.sha = ${sha} and _p.ref = ${sourceBranch} and not _p.is_tag
        and _p.merge_request_id is null order by _p.id desc limit 1)
  ) _h order by _h.turn limit 1`
