import { Effect, Layer } from "effect"
import {
  type IssueFilter,
  type IssueIdentity,
  IssueQueries,
  type IssueRow,
  type LabelCountRow,
  type ListedIssueRow
} from "#src/issues/Queries.ts"
import { type Fragment, none, raw, select, sql } from "#src/platform/sql/fragment.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import { votes } from "../awardEmoji/expressions.ts"
import { eachFound, firstFound } from "../firstFound.ts"
import { someWithin } from "../issuables/bounds.ts"
import { selectDescriptions } from "../issuables/descriptions.ts"
import { milestoneJson } from "../milestones/expressions.ts"
import { namespacePath } from "../namespaces/expressions.ts"
import { keysIn, numberedKey } from "../numberedKeys.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { shortTexts } from "../shortTexts.ts"
import { commonTables, directionOf, isCountedIn, isFoundBy, isOwnWithin, keyOf, orderBy, ordered } from "./list.ts"

const stored = [
  ...["id", "iid", "project_id", "title", "state", "author_id", "created_at", "updated_at", "closed_at"],
  ...["due_date", "is_confidential", "is_discussion_locked", "tasks", "completed_tasks"]
].map((name) => `i.${name}`)

const reference = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

const user = (id: string): string => `(select ${reference("_u")} from rm_users.users _u where _u.id = ${id})`

const assignees = `coalesce((
  select json_agg(${reference("_u")} order by _a.place) from rm_issues.assignees _a join rm_users.users _u on _u.id = _a.user_id
  where _a.project_id = i.project_id and _a.iid = i.iid), '[]')`

const labels = `coalesce((
  select json_agg(_l order by _l.title, _l.id) from rm_issues.labels _has join rm_labels.labels _l on _l.id = _has.label_id
  where _has.project_id = i.project_id and _has.iid = i.iid), '[]')`

/** Merge requests close issues where they lead into the default branch. Of very many the first thousand are counted. */
const mergeRequests = `(
  select count(*) from (
    select * from rm_merge_requests.issues_to_close _c where _c.issue_project_id = i.project_id and _c.issue_iid = i.iid limit 1000
  ) _c
  join rm_merge_requests.merge_requests _r on _r.project_id = _c.project_id and _r.iid = _c.iid
  join rm_projects.projects _t on _t.id = _r.project_id and _t.default_branch = _r.target_branch)`

/** Nothing is kept of one without notes. */
const notes = `coalesce((
  select _n.user_notes from rm_notes.counts _n
  where _n.project_id = i.project_id and _n.noteable_type = 'issue' and _n.iid = i.iid), 0)`

const columns = raw(`${stored.join(", ")}, ${namespacePath("p.namespace_id")} || '/' || p.path as project_path,
  ${user("i.author_id")} as author, ${user("i.closed_by_id")} as closed_by, ${assignees} as assignees, ${labels} as labels,
  ${milestoneJson("i.milestone_id")} as milestone,
  ${votes("Issue", "i.id", "thumbsup")} as upvotes, ${votes("Issue", "i.id", "thumbsdown")} as downvotes,
  ${mergeRequests} as merge_requests, ${notes} as user_notes_count`)

/** What is counted in a project is found by it, however many issues others have. */
const byProject = ({ project }: IssueFilter): Fragment =>
  project === undefined ? none : raw("order by i.project_id, i.created_at, i.id")

const table = raw("rm_issues.issues")

/** The ids of a page are found first, so that people, labels and paths are only looked for where they are shown. */
const listing = (filter: IssueFilter): Listing => {
  const { order } = filter
  const found = isFoundBy(filter)
  const direction = directionOf(order)
  const inOrder = sql`key ${direction}, id ${direction}`
  const isFound = isFoundBy(filter, "for each row")
  // Of one project an index has those within any time.
  const few = filter.project === undefined ? someWithin("rm_issues.issues", filter) : undefined
  const search = { table, alias: raw("i"), found, isFound, few }
  const inIds = { key: keyOf(order), order: inOrder, columns: raw("i.id") }
  const among = { ...search, ...inIds, ordered: (limit: Fragment) => ordered(filter, limit) }
  return {
    rows: (page) => sql`${commonTables(filter)}, listed as materialized (${firstFound(among, page)})
      select ${columns}, ${shortTexts("t", "description", orderBy(order))} from listed
      join rm_issues.issues i on i.id = listed.id join rm_issues.texts t on t.project_id = i.project_id and t.iid = i.iid
      join rm_projects.projects p on p.id = i.project_id order by ${orderBy(order)}`,
    counted: sql`${commonTables(filter)} ${eachFound(search)} ${byProject(filter)}`
  }
}

const identities = `
  select i.id, i.iid, i.project_id, i.author_id, i.is_confidential, i.is_discussion_locked, coalesce((
    select json_agg(json_build_object('id', _a.user_id)) from rm_issues.assignees _a
    where _a.project_id = i.project_id and _a.iid = i.iid), '[]') as assignees
  from unnest($1::bigint[], $2::bigint[]) as k(project_id, iid)
  join rm_issues.issues i on i.project_id = k.project_id and i.iid = k.iid`

const identifyOf = (client: Client): IssueQueries["Service"]["identify"] => {
  const find = lookup(
    (keys: Array<string>, onRow: (row: IssueIdentity) => void) => {
      const { iids, projectIds } = keysIn(keys)
      return client.unsafe<Array<IssueIdentity>>(identities, [projectIds, iids], { prepare: true }).forEach(onRow)
    },
    ({ iid, project_id }) => numberedKey(project_id, iid)
  )
  return (projectId, iid) => find(numberedKey(projectId, iid))
}

/** Answers questions about issues from Postgres. */
export const issueQueries: Layer.Layer<IssueQueries, never, Sql> = Layer.effect(
  IssueQueries,
  Effect.map(Sql, ({ client }) =>
    IssueQueries.of({
      list: (filter, page) => selectListed<ListedIssueRow>(client, listing(filter), page),
      descriptionsOf: (rows) => selectDescriptions(client, "rm_issues.texts", rows),
      find: (projectId, iid) =>
        Effect.map(
          select<IssueRow>(
            client,
            sql`select ${columns}, t.description from rm_issues.issues i
              join rm_issues.texts t on t.project_id = i.project_id and t.iid = i.iid
              join rm_projects.projects p on p.id = i.project_id
              where i.project_id = ${projectId} and i.iid = ${iid}`
          ),
          ([row]): IssueRow | undefined => row
        ),
      identify: identifyOf(client),
      labelCounts: (labelIds, within) =>
        select<LabelCountRow>(
          client,
          sql`${commonTables(within)} select counted.label_id, sum(counted.opened)::bigint as opened, sum(counted.closed)::bigint as closed from (
              select i.label_id, i.opened, i.closed from rm_issues.label_counts i
              join rm_projects.projects p on p.id = i.project_id
              where i.label_id = any(${labelIds}::bigint[]) and ${isCountedIn(within)}
              union all
              select _has.label_id, (i.state = 'opened')::int, (i.state = 'closed')::int from rm_issues.issues i
              join rm_issues.labels _has on _has.project_id = i.project_id and _has.iid = i.iid
              join rm_projects.projects p on p.id = i.project_id
              where _has.label_id = any(${labelIds}::bigint[]) and ${isOwnWithin(within)}
            ) counted group by counted.label_id`
        ),
      highestNumber: (scope) => `coalesce(greatest(
        (select max(i.iid) from rm_issues.issues i where i.project_id = ${scope}),
        (select max(d.iid) from rm_issues.deleted d where d.project_id = ${scope})), 0)`
    })
  )
)
