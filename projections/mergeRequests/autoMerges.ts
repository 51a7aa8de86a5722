import { Effect } from "effect"
import { descendants } from "#projections/namespaces/expressions.ts"
import { type MergeRequestKey, versionReactor } from "#src/mergeRequests/ids.ts"
import type { AutoMergeDue, AutoMergesOf, MergeRequestQueries } from "#src/mergeRequests/Queries.ts"
import { pushReactor } from "#src/pipelines/ids.ts"
import { hasReacted } from "#src/platform/reactions/hasReacted.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { isInTurn } from "./turns.ts"

/** These conditions are written as the indexes that find such rows have them. */
const waits = raw("m.state = 'opened' and m.auto_merge_user_id is not null")
const mayLackRights = raw("m.is_auto_merge_due or m.auto_merge_held_for = 'not_allowed'")

const isInGroup = (groupId: number): Fragment => sql`exists (
  select from rm_projects.projects _p where _p.id = m.project_id and _p.namespace_id in (
    select _d.id from (select ${groupId}::bigint as group_id) _g cross join lateral (${raw(descendants("_g.group_id"))}) _d))`

const isBehind = ({ iid, projectId }: NonNullable<AutoMergesOf["behind"]>): Fragment => sql`exists (
  select from rm_merge_requests.blocks _b where _b.project_id = m.project_id and _b.iid = m.iid
    and ${all(sql`_b.blocking_project_id = ${projectId}`, iid !== undefined && sql`_b.blocking_iid = ${iid}`)})`

const conditionOf = ({ behind, groupId, iid, pipelineId, projectId, setBy, sha, targetBranch, ...of }: AutoMergesOf): Fragment =>
  all(
    projectId !== undefined && sql`m.project_id = ${projectId}`,
    iid !== undefined && sql`m.iid = ${iid}`,
    groupId !== undefined && isInGroup(groupId),
    targetBranch !== undefined && sql`m.target_branch = ${targetBranch}`,
    setBy !== undefined && sql`m.auto_merge_user_id = ${setBy}`,
    sha !== undefined && sql`m.sha = ${sha}`,
    pipelineId !== undefined && sql`m.sha = (select _p.sha from rm_pipelines.pipelines _p where _p.id = ${pipelineId})`,
    behind !== undefined && isBehind(behind),
    of.mayLackRights === true && mayLackRights
  )

/** What a push has not brought into the log yet is not there, or another commit. */
const awaitsPipeline = ({ iid, projectId }: MergeRequestKey): Fragment => sql`
  select from rm_merge_requests.merge_requests m
  left join rm_pushes.refs _f on _f.project_id = m.source_project_id and _f.ref = 'refs/heads/' || m.source_branch
  where m.project_id = ${projectId} and m.iid = ${iid} and (_f.id is distinct from m.sha
    or not ${raw(hasReacted(pushReactor, "_f.position"))} or not ${raw(hasReacted(versionReactor, "m.version_position"))})`

type Questions = "autoMerges" | "autoMergesDue" | "awaitsPipeline"

/** What is to be merged of itself, by what it may wait for. */
export const autoMergeQueries = (client: Client): Pick<MergeRequestQueries["Service"], Questions> => ({
  autoMergesDue: (query) =>
    select<AutoMergeDue>(
      client,
      sql`select o.id, o.iid, o.project_id as "projectId", o.auto_merge_user_id as by from (
          select m.*, row_number() over (partition by m.project_id order by m.iid) as turn
          from rm_merge_requests.merge_requests m
          where m.state = 'opened' and m.is_auto_merge_due and not m.id = any(${query.waiting}::bigint[])
            and exists (select from rm_projects.projects p where p.id = m.project_id)
        ) o where ${isInTurn(query)} order by o.turn, o.project_id ${slice({ limit: query.limit, offset: 0 })}`
    ),
  autoMerges: (of, after, limit) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
        where ${waits} and ${conditionOf(of)} and (m.project_id, m.iid) > (${after.projectId}::bigint, ${after.iid}::bigint)
        order by m.project_id, m.iid ${slice({ limit, offset: 0 })}`
    ),
  awaitsPipeline: (key) => Effect.map(select(client, awaitsPipeline(key)), ({ length }) => length > 0)
})
