import { Effect, Layer } from "effect"
import { accessLevel } from "#src/members/levels.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import type { ReleaseKey } from "#src/releases/ids.ts"
import {
  type DueEvidence,
  type EvidentIssue,
  type GroupReleaseFilter,
  type ListedReleaseRow,
  type ListedShortRow,
  type ReleasedMilestone,
  type ReleaseFilter,
  ReleaseQueries,
  type ReleaseRow
} from "#src/releases/Queries.ts"
import { isSeen, viewerTables } from "../issuables/viewers.ts"
import { milestoneColumns } from "../milestones/expressions.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { shortTexts } from "../shortTexts.ts"
import { referenceById } from "../users/references.ts"

const ofRelease = (alias: string): string => `${alias}.project_id = r.project_id and ${alias}.tag = r.tag`

const issueStats = `(select json_build_object('total', count(*), 'closed', count(*) filter (where _i.state = 'closed'))
  from rm_issues.issues _i where _i.milestone_id = _m.id)`

const byDates = raw("due_date nulls last, start_date nulls last, title")

/** What a release has, but for its description. */
const columns = raw(`r.id, r.project_id, r.tag, r.name, r.sha, r.created_at, r.released_at,
  ${referenceById("r.author_id")} as author,
  coalesce((select json_agg(json_build_object('id', _l.id, 'name', _l.name, 'url', _l.url, 'path', _l.path, 'type', _l.type)
    order by _l.id desc) from rm_releases.links _l where ${ofRelease("_l")}), '[]') as links,
  array(select _j.milestone_id from rm_releases.milestones _j where ${ofRelease("_j")} order by _j.milestone_id) as milestone_ids,
  coalesce((select json_agg(json_build_object('id', _e.id, 'sha256', _e.sha256, 'collected_at', _e.collected_at) order by _e.id)
    from rm_releases.evidences _e where ${ofRelease("_e")}), '[]') as evidences`)

const shortColumns = raw("r.id, r.tag, r.name, r.created_at, r.released_at")

const isOf = ({ projectId, tag }: ReleaseKey): Fragment => sql`r.project_id = ${projectId} and r.tag = ${tag}`

const listing = ({ order, projectId, updatedAfter, updatedBefore }: ReleaseFilter): Listing => {
  const found = sql`select r.* from rm_releases.releases r where ${all(
    sql`r.project_id = ${projectId}`,
    updatedAfter !== undefined && sql`r.updated_at >= ${updatedAfter}`,
    updatedBefore !== undefined && sql`r.updated_at <= ${updatedBefore}`
  )}`
  const direction = order.descending ? "desc" : "asc"
  const by = raw(`r.${order.by} ${direction}, r.id ${direction}`)
  return {
    rows: (page) =>
      sql`select ${columns}, ${shortTexts("r", "description", by)} from (${found} order by ${by} ${slice(page)}) r order by ${by}`,
    counted: found
  }
}

/** Members see releases from Guests on. */
const seen = { features: ["releases"], minRole: accessLevel.guest } as const

const groupListing = (filter: GroupReleaseFilter, shown: Fragment): Listing => {
  const tables = viewerTables({ viewer: filter.viewer, groupId: filter.groupId })
  const direction = filter.descending ? "desc" : "asc"
  const by = raw(`r.released_at ${direction}, r.id ${direction}`)
  const found = sql`select r.* from rm_projects.projects p join rm_releases.releases r on r.project_id = p.id
    where p.namespace_id = ${filter.groupId} and ${isSeen(filter.viewer, seen)}`
  return {
    rows: (page) => sql`${tables} select ${shown}, ${shortTexts("r", "description", by)}
      from (${found} order by ${by} ${slice(page)}) r order by ${by}`,
    counted: sql`${tables} ${found}`
  }
}

/** So many issues an evidence has at most. */
const maxEvidentIssues = 1_000

/** Answers questions about releases from Postgres. */
export const releaseQueries: Layer.Layer<ReleaseQueries, never, Sql> = Layer.effect(
  ReleaseQueries,
  Effect.map(Sql, ({ client }) => {
    const first = <Row extends object>(statement: Fragment) =>
      Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)
    return ReleaseQueries.of({
      list: (filter, page) => selectListed<ListedReleaseRow>(client, listing(filter), page),
      listOfGroup: (filter, page) => selectListed<ListedReleaseRow>(client, groupListing(filter, columns), page),
      listShortOfGroup: (filter, page) => selectListed<ListedShortRow>(client, groupListing(filter, shortColumns), page),
      descriptionOf: (id) =>
        Effect.map(
          first<{ readonly description: string | null }>(
            sql`select r.description from rm_releases.releases r where r.id = ${id}`
          ),
          (row) => row?.description
        ),
      find: (key) => first<ReleaseRow>(sql`select ${columns}, r.description from rm_releases.releases r where ${isOf(key)}`),
      latest: (projectId) =>
        Effect.map(
          first<{ readonly tag: string }>(sql`select r.tag from rm_releases.releases r where r.project_id = ${projectId}
            order by r.released_at desc, r.id desc limit 1`),
          (row) => row?.tag
        ),
      descriptions: (projectId, tags) =>
        Effect.map(
          select<{ readonly tag: string; readonly description: string | null }>(
            client,
            sql`select r.tag, r.description from rm_releases.releases r
              where r.project_id = ${projectId} and r.tag = any(${tags}::text[])`
          ),
          (rows) => new Map(rows.map(({ description, tag }) => [tag, description]))
        ),
      milestones: (ids) =>
        select<ReleasedMilestone>(
          client,
          sql`select ${raw(`${milestoneColumns("_m")}, ${issueStats} as issues`)} from rm_milestones.milestones _m
            where _m.id = any(${ids}::bigint[]) order by ${byDates}`
        ),
      evidence: (key, id) =>
        Effect.map(
          first<{ readonly summary: string }>(
            sql`select r.summary from rm_releases.evidences r where ${isOf(key)} and r.id = ${id}`
          ),
          (row) => row?.summary
        ),
      issuesOf: (projectId, milestoneIds) =>
        select<EvidentIssue>(
          client,
          sql`select i.id, i.iid, i.milestone_id, i.title, i.state from rm_issues.issues i
            where i.milestone_id = any(${milestoneIds}::bigint[]) and i.project_id = ${projectId} and not i.is_confidential
            order by i.id ${slice({ limit: maxEvidentIssues, offset: 0 })}`
        ),
      dueEvidences: (now, { limit, running, waiting }) =>
        select<DueEvidence>(
          client,
          sql`select r.id, r.project_id as "projectId", r.tag, r.author_id as by from rm_releases.releases r
            where r.wants_evidence and not r.has_evidence and r.released_at <= ${now}
              and not r.id = any(${running}::bigint[]) and not r.id = any(${waiting}::bigint[])
            order by r.released_at, r.id ${slice({ limit, offset: 0 })}`
        )
    })
  })
)
