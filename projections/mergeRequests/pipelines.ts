import { pipelineColumns } from "#projections/pipelines/columns.ts"
import type { PipelinesOf } from "#src/mergeRequests/Queries.ts"
import { raw, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Listing } from "../selectListed.ts"

const columns = raw(pipelineColumns("p"))

/** Those made for a merge request first, then those of its branch for each commit that was its last one. */
export const pipelinesOf = ({ mergeRequest: m, projectIds }: PipelinesOf): Listing => {
  const found = sql`
    select p.* from (
      select 0 as turn, ${columns} from rm_pipelines.pipelines p where p.merge_request_id = ${m.id}
      union all
      select 1, ${columns} from (
        select v.head_sha from rm_merge_requests.versions v where v.project_id = ${m.project_id} and v.iid = ${m.iid}
        union select ${m.sha}
      ) heads join rm_pipelines.pipelines p on p.project_id = ${m.source_project_id} and p.sha = heads.head_sha
        and p.ref = ${m.source_branch} and not p.is_tag and p.merge_request_id is null
    ) p where p.project_id = any(${projectIds}::bigint[])`
  return {
    rows: (page) => sql`select ${columns} from (${found}) p order by p.turn, p.id desc ${slice(page)}`,
    counted: found
  }
}
