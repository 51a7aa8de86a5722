import { type Fragment, raw, sql } from "#src/platform/sql/fragment.ts"

/** The same as `HeadPipelineOf`, in SQL. */
interface Expressions {
  readonly sourceProjectId: Fragment
  readonly sourceBranch: Fragment
  readonly sha: Fragment
}

/** Of the merge request `m` of an outer query. */
export const ofRow: Expressions = {
  sourceProjectId: raw("m.source_project_id"),
  sourceBranch: raw("m.source_branch"),
  sha: raw("m.sha")
}

/** The pipeline that counts for a merge request, found by an index. */
export const headPipeline = ({ sha, sourceBranch, sourceProjectId }: Expressions): Fragment => sql`
  select _h.id, _h.project_id, _h.status from rm_pipelines.pipelines _h
  where _h.project_id = ${sourceProjectId} and _h.sha = ${sha} and _h.ref = ${sourceBranch} and not _h.is_tag
  order by _h.id desc limit 1`
