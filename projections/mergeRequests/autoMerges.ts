import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import type { AutoMergeDue, MergeRequestQueries } from "#src/mergeRequests/Queries.ts"
import { none, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { isAsked } from "./asked.ts"

/** As the indexes that find them say it. */
const waits = raw("m.state = 'opened' and m.auto_merge_user_id is not null")

type Questions = "autoMergesBehind" | "autoMergesDue" | "autoMergesIn" | "autoMergesInto" | "autoMergesWith"

/** What is to be merged of itself, by what it may wait for. */
export const autoMergeQueries = (client: Client): Pick<MergeRequestQueries["Service"], Questions> => ({
  autoMergesDue: (asked) =>
    select<AutoMergeDue>(
      client,
      sql`select o.id, o.iid, o.project_id as "projectId", o.auto_merge_user_id as by from (
          select m.*, row_number() over (partition by m.project_id order by m.iid) as turn
          from rm_merge_requests.merge_requests m
          where m.state = 'opened' and m.is_auto_merge_due and not m.id = any(${asked.waiting}::bigint[])
            and exists (select from rm_projects.projects p where p.id = m.project_id)
        ) o where ${isAsked(asked)} order by o.turn, o.project_id ${slice({ limit: asked.limit, offset: 0 })}`
    ),
  autoMergesWith: (pipelineId) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_pipelines.pipelines _p
        join rm_merge_requests.merge_requests m on m.sha = _p.sha and ${waits}
        where _p.id = ${pipelineId} order by m.project_id, m.iid`
    ),
  autoMergesIn: (projectId) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
        where m.project_id = ${projectId} and ${waits} order by m.iid`
    ),
  autoMergesInto: (projectId, branch) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
        where m.project_id = ${projectId} and m.target_branch = ${branch} and ${waits} order by m.iid`
    ),
  autoMergesBehind: ({ iid, projectId }) =>
    select<MergeRequestKey>(
      client,
      sql`select distinct m.project_id as "projectId", m.iid from rm_merge_requests.blocks b
        join rm_merge_requests.merge_requests m on m.project_id = b.project_id and m.iid = b.iid and ${waits}
        where b.blocking_project_id = ${projectId} ${iid === undefined ? none : sql`and b.blocking_iid = ${iid}`}
        order by m.project_id, m.iid`
    )
})
