import { Effect, Layer } from "effect"
import { votes } from "#projections/awardEmoji/expressions.ts"
import { selectDescriptions } from "#projections/issuables/descriptions.ts"
import { milestoneJson } from "#projections/milestones/expressions.ts"
import { namespacePath } from "#projections/namespaces/expressions.ts"
import { shortTexts } from "#projections/shortTexts.ts"
import { referenceById, referenceTo } from "#projections/users/references.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import {
  type ApprovalsRow,
  type CollaboratingInto,
  type FoundMergeRequestRow,
  type Into,
  type ListedMergeRequestRow,
  type MergeRequestFilter,
  type MergeRequestIdentity,
  MergeRequestQueries,
  type Outdated,
  type Rebasing,
  type VersionRow
} from "#src/mergeRequests/Queries.ts"
import type { PipelineRow, Status as PipelineStatus } from "#src/pipelines/Pipelines.ts"
import { type Fragment, raw, rowsOf, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { type Keys, keysIn, numberedKey } from "../numberedKeys.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { autoMergeQueries } from "./autoMerges.ts"
import { blockQueries } from "./blocks.ts"
import { headPipeline, ofRow } from "./headPipeline.ts"
import { allFound, commonTables, pageOf } from "./list.ts"
import { orderBy } from "./order.ts"
import { pipelinesOf } from "./pipelines.ts"
import { isInTurn } from "./turns.ts"

const stored = [
  ...["id", "iid", "project_id", "source_project_id", "source_branch", "target_branch", "title", "state"],
  ...["author_id", "created_at", "updated_at", "merged_at", "closed_at", "squash", "removes_source_branch"],
  ...["allows_collaboration", "is_discussion_locked", "sha", "version_id", "base_sha", "start_sha", "files", "is_cut", "commits"],
  ...[
    "verdict",
    "is_fast_forward",
    "is_outdated",
    "merge_error",
    "check_error",
    "tasks",
    "completed_tasks",
    "prepared_at",
    "merge_user_id",
    "auto_merge_user_id",
    "merge_sha",
    "squash_sha"
  ],
  ...["should_remove_source_branch", "time_estimate", "time_spent", "approvals_before_merge", "approvals_left"]
].map((name) => `m.${name}`)

const people = (role: "assignee" | "reviewer"): string => `coalesce((
  select json_agg(${referenceTo("_u")} order by _p.place) from rm_merge_requests.people _p join rm_users.users _u on _u.id = _p.user_id
  where _p.project_id = m.project_id and _p.iid = m.iid and _p.role = '${role}'), '[]')`

/** What is counted of its notes; nothing is kept of one without any. */
const counted = (column: "user_notes" | "unresolved"): string => `coalesce((
  select _c.${column} from rm_notes.counts _c
  where _c.project_id = m.project_id and _c.noteable_type = 'mergeRequest' and _c.iid = m.iid), 0)`

const labelTitles = `coalesce((
  select json_agg(json_build_object('id', _l.id, 'title', _l.title) order by _l.title, _l.id)
  from rm_merge_requests.labels _has join rm_labels.labels _l on _l.id = _has.label_id
  where _has.project_id = m.project_id and _has.iid = m.iid), '[]')`

/** Whether one that has to be merged first is there, and not merged. */
const isBlocked = `exists (
  select from rm_merge_requests.blocks _b
  join rm_merge_requests.merge_requests _m on _m.project_id = _b.blocking_project_id and _m.iid = _b.blocking_iid
  where _b.project_id = m.project_id and _b.iid = m.iid and _m.state <> 'merged')`

const columns = raw(`${stored.join(", ")}, m.rebase_requested_at is not null as is_rebasing, ${isBlocked} as is_blocked,
  ${namespacePath("p.namespace_id")} || '/' || p.path as project_path, p.squash_option, p.merge_method,
  p.only_allow_merge_if_pipeline_succeeds, p.allow_merge_on_skipped_pipeline,
  h.id as head_pipeline_id, h.project_id as head_pipeline_project_id, h.status as head_pipeline_status,
  p.only_allow_merge_if_all_discussions_are_resolved, ${counted("user_notes")} as user_notes_count,
  ${counted("unresolved")} > 0 as has_unresolved_discussions,
  ${referenceById("m.author_id")} as author, ${referenceById("coalesce(m.merge_user_id, m.auto_merge_user_id)")} as merge_user, ${referenceById("m.closed_by_id")} as closed_by,
  ${votes("MergeRequest", "m.id", "thumbsup")} as upvotes, ${votes("MergeRequest", "m.id", "thumbsdown")} as downvotes,
  ${people("assignee")} as assignees, ${people("reviewer")} as reviewers, ${labelTitles} as labels,
  ${milestoneJson("m.milestone_id")} as milestone`)

/** When it came into production first. */
const deployedAt = raw(`(
  select min(_p.finished_at) from rm_deployments.merge_requests _d
  join rm_deployments.deployments _p on _p.id = _d.deployment_id and _p.status = 'success'
  join rm_deployments.environments _e on _e.id = _p.environment_id and _e.tier = 'production' and not _e.is_deleted
  where _d.project_id = m.project_id and _d.iid = m.iid)`)

/**
 * The keys of a page are found first, so that people and paths are only looked for where they are shown. They are a table of their own,
 * because the planner compares what comes after with all that it expects to find them, and takes any difference for small.
 */
const listing = (filter: MergeRequestFilter): Listing => ({
  rows: (page) => sql`
    ${commonTables(filter)}, k as materialized (${pageOf(filter, page)})
    select ${columns}, ${shortTexts("t", "description", orderBy(filter))} from k
    join rm_merge_requests.merge_requests m on m.project_id = k.project_id and m.iid = k.iid
    join rm_merge_requests.texts t on t.project_id = k.project_id and t.iid = k.iid
    join rm_projects.projects p on p.id = m.project_id left join lateral (${headPipeline(ofRow)}) h on true
    order by ${orderBy(filter)}`,
  counted: sql`${commonTables(filter)} ${allFound(filter)}`
})

const versionColumns = raw(`v.id, v.project_id, m.id as merge_request_id, v.head_sha, v.base_sha, v.start_sha, v.files, v.is_cut,
  v.patch_id, v.created_at`)
const versionTables = raw(`rm_merge_requests.versions v join rm_merge_requests.merge_requests m
  on m.project_id = v.project_id and m.iid = v.iid`)

const versionListing = (projectId: number, iid: number): Listing => {
  const found = sql`select ${versionColumns} from ${versionTables} where v.project_id = ${projectId} and v.iid = ${iid}`
  return { rows: (page) => sql`${found} order by v.id desc ${slice(page)}`, counted: found }
}

const approvalsOf = (projectId: number, iid: number): Fragment => sql`
  select coalesce((
    select json_agg(${raw(referenceTo("u"))} order by a.approved_at, a.user_id) from rm_merge_requests.approvals a
    join rm_users.users u on u.id = a.user_id where a.project_id = ${projectId} and a.iid = ${iid}), '[]') as approved_by,
  coalesce((
    select json_agg(json_build_object('id', r.id, 'name', r.name, 'approvals_required', r.approvals_required, 'users', coalesce((
      select json_agg(${raw(referenceTo("u"))} order by v.place) from rm_merge_requests.approvers v
      join rm_users.users u on u.id = v.user_id where v.rule_id = r.id), '[]')) order by r.id)
    from rm_merge_requests.approval_rules r where r.project_id = ${projectId} and r.iid = ${iid}), '[]') as rules`

/** Keys of open ones, in the order of their numbers. */
const keysOf = (client: Client, condition: Fragment) =>
  select<MergeRequestKey>(
    client,
    sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
      where m.state = 'opened' and ${condition} and exists (select from rm_projects.projects p where p.id = m.project_id)
      order by m.project_id, m.iid`
  )

const first = <Row extends object>(client: Client, statement: Fragment) =>
  Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)

/** Whether something of its author was merged into the project. */
const authorHasMerged = raw(`exists (
  select from rm_merge_requests.merge_requests _m
  where _m.project_id = m.project_id and _m.author_id = m.author_id and _m.state = 'merged')`)

/** Octets of a description that is read with its merge request; longer ones are for those who show them. */
const maxShortDescription = 16_384
const isDescriptionLong = raw(`coalesce(octet_length(t.description) > ${maxShortDescription}, false)`)

const detailsOf = ({ iids, projectIds }: Keys): Fragment => sql`
  select ${columns}, ${deployedAt} as deployed_at, ${authorHasMerged} as author_has_merged,
    case when not ${isDescriptionLong} then t.description end as short_description, ${isDescriptionLong} as is_description_long
  from unnest(${projectIds}::bigint[], ${iids}::bigint[]) as k(project_id, iid)
  join rm_merge_requests.merge_requests m on m.project_id = k.project_id and m.iid = k.iid
  join rm_merge_requests.texts t on t.project_id = m.project_id and t.iid = m.iid
  join rm_projects.projects p on p.id = m.project_id
  left join lateral (${headPipeline(ofRow)}) h on true`

const findOf = (client: Client): MergeRequestQueries["Service"]["find"] => {
  const find = lookup(
    async (keys: Array<string>, onRow: (row: FoundMergeRequestRow) => void) => {
      for (const row of await rowsOf<FoundMergeRequestRow>(client, detailsOf(keysIn(keys)))) onRow(row)
    },
    ({ iid, project_id }) => numberedKey(project_id, iid)
  )
  return (projectId, iid) => find(numberedKey(projectId, iid))
}

const queriesOf = ({ client }: Sql["Service"]): MergeRequestQueries["Service"] => ({
  list: (filter, page) => selectListed<ListedMergeRequestRow>(client, listing(filter), page),
  descriptionsOf: (rows) => selectDescriptions(client, "rm_merge_requests.texts", rows),
  find: findOf(client),
  identify: (projectId, iid) =>
    first<MergeRequestIdentity>(
      client,
      sql`select m.id, m.iid, m.project_id, m.author_id, m.is_discussion_locked from rm_merge_requests.merge_requests m
        where m.project_id = ${projectId} and m.iid = ${iid}`
    ),
  versions: ({ iid, project_id }, page) => selectListed<VersionRow>(client, versionListing(project_id, iid), page),
  version: ({ iid, project_id }, id) =>
    first<VersionRow>(
      client,
      sql`select ${versionColumns} from ${versionTables}
        where v.id = ${id} and v.project_id = ${project_id} and v.iid = ${iid}`
    ),
  approvals: ({ iid, project_id }) =>
    Effect.map(
      first<ApprovalsRow>(client, approvalsOf(project_id, iid)),
      (found): ApprovalsRow => found ?? { approved_by: [], rules: [] }
    ),
  hasVersion: ({ iid, project_id }, { base_sha, head_sha, start_sha }) =>
    Effect.map(
      select(
        client,
        sql`select from rm_merge_requests.versions v where v.project_id = ${project_id} and v.iid = ${iid}
          and v.base_sha = ${base_sha} and v.start_sha = ${start_sha} and v.head_sha = ${head_sha} limit 1`
      ),
      ({ length }) => length > 0
    ),
  openAt: (projectId, branches) =>
    Effect.map(
      Effect.all(
        [
          keysOf(client, sql`m.source_project_id = ${projectId} and m.source_branch = any(${branches}::text[])`),
          keysOf(
            client,
            sql`m.project_id = ${projectId} and m.target_branch = any(${branches}::text[])
              and not (m.source_project_id = ${projectId} and m.source_branch = any(${branches}::text[]))`
          )
        ],
        { concurrency: 2 }
      ),
      ([out, into]) => [...out, ...into]
    ),
  outdated: (query) =>
    select<Outdated>(
      client,
      sql`select o.id, o.iid, o.project_id as "projectId", o.author_id as "authorId" from (
          select m.*, row_number() over (partition by m.project_id order by m.iid) as turn
          from rm_merge_requests.merge_requests m
          where m.state = 'opened' and m.is_outdated and not m.is_auto_merge_due and not m.id = any(${query.waiting}::bigint[])
            and exists (select from rm_projects.projects p where p.id = m.project_id)
        ) o where ${isInTurn(query)} order by o.turn, o.project_id ${slice({ limit: query.limit, offset: 0 })}`
    ),
  rebasing: (query) =>
    select<Rebasing>(
      client,
      sql`select o.id, o.iid, o.project_id as "projectId", o.rebase_by as by from (
          select m.*, row_number() over (partition by m.rebase_by order by m.rebase_requested_at, m.id) as turn
          from rm_merge_requests.merge_requests m
          where m.rebase_requested_at is not null and not m.id = any(${query.waiting}::bigint[])
            and exists (select from rm_projects.projects p where p.id = m.project_id)
        ) o where ${isInTurn(query)} order by o.turn, o.rebase_requested_at ${slice({ limit: query.limit, offset: 0 })}`
    ),
  ...blockQueries(client),
  openInto: (projectId, branch, limit) =>
    select<Into>(
      client,
      sql`select m.project_id as "projectId", m.iid, m.source_project_id as "sourceProjectId", m.source_branch as "sourceBranch"
        from rm_merge_requests.merge_requests m
        where m.project_id = ${projectId} and m.target_branch = ${branch} and m.state = 'opened'
        order by m.iid ${slice({ limit, offset: 0 })}`
    ),
  openFrom: (forkId, after, limit) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
        where m.source_project_id = ${forkId} and m.project_id <> m.source_project_id and m.state = 'opened'
          and (m.project_id, m.iid) > (${after.projectId}::bigint, ${after.iid}::bigint)
        order by m.project_id, m.iid ${slice({ limit, offset: 0 })}`
    ),
  approvedBy: (userId, after, limit) =>
    select<MergeRequestKey>(
      client,
      sql`select a.project_id as "projectId", a.iid from rm_merge_requests.approvals a
        join rm_merge_requests.merge_requests m on m.project_id = a.project_id and m.iid = a.iid
        where a.user_id = ${userId} and (a.project_id, a.iid) > (${after.projectId}::bigint, ${after.iid}::bigint)
          and m.state <> 'merged'
        order by a.project_id, a.iid ${slice({ limit, offset: 0 })}`
    ),
  ...autoMergeQueries(client),
  collaborating: (sourceProjectId) =>
    select<CollaboratingInto>(
      client,
      sql`select m.source_branch as "sourceBranch", m.project_id as "projectId", m.target_branch as "targetBranch"
        from rm_merge_requests.merge_requests m
        where m.source_project_id = ${sourceProjectId} and m.state = 'opened' and m.allows_collaboration
          and m.project_id <> m.source_project_id order by m.id desc limit 100`
    ),
  lockedFor: (millis) =>
    select<MergeRequestKey>(
      client,
      sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m
        where m.state = 'locked' and m.locked_at < (extract(epoch from now()) * 1000)::bigint - ${millis} order by m.locked_at`
    ),
  pipelines: (of, page) => selectListed<PipelineRow>(client, pipelinesOf(of), page),
  headPipelineStatus: ({ id, sha, sourceBranch, sourceProjectId }) =>
    Effect.map(
      first<{ readonly status: PipelineStatus }>(
        client,
        headPipeline({
          id: sql`${id}::bigint`,
          sourceProjectId: sql`${sourceProjectId}::bigint`,
          sourceBranch: sql`${sourceBranch}`,
          sha: sql`${sha}`
        })
      ),
      (found) => found?.status
    ),
  highestNumber: (scope) =>
    `coalesce((select max(m.iid) from rm_merge_requests.merge_requests m where m.project_id = ${scope}), 0)`
})

/** Answers questions about merge requests from Postgres. */
export const mergeRequestQueries: Layer.Layer<MergeRequestQueries, never, Sql> = Layer.effect(
  MergeRequestQueries,
  Effect.map(Sql, queriesOf)
)
