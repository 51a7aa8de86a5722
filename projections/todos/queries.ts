import { Effect, Layer } from "effect"
import { descendants, namespaceName, namespacePath } from "#projections/namespaces/expressions.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { type Client, Sql } from "#src/platform/sql/Sql.ts"
import type { Target } from "#src/todos/ids.ts"
import { type Proposed, type TodoFilter, TodoQueries, type TodoRow } from "#src/todos/Queries.ts"
import { type Listing, selectListed } from "../selectListed.ts"

const columns = raw(`t.id, t.action, t.target_type, t.iid, t.state, t.created_at, t.updated_at,
  (select json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state)
    from rm_users.users u where u.id = t.author_id) as author,
  json_build_object('id', p.id, 'description', p.description, 'name', p.name,
    'name_with_namespace', ${namespaceName("p.namespace_id")} || ' / ' || p.name, 'path', p.path,
    'path_with_namespace', ${namespacePath("p.namespace_id")} || '/' || p.path, 'created_at', p.created_at) as project`)

const project = raw("join rm_projects.projects p on p.id = t.project_id")

/** One that was added while its merge request was deleted is told to nobody. */
const isThere = raw("exists (select from rm_merge_requests.merge_requests m where m.project_id = t.project_id and m.iid = t.iid)")

const isFound = ({ action, authorId, groupId, projectId, state, type, userId }: TodoFilter): Fragment =>
  all(
    sql`t.user_id = ${userId}`,
    sql`t.state = ${state}`,
    isThere,
    action !== undefined && sql`t.action = any(${[action]}::text[])`,
    authorId !== undefined && sql`t.author_id = any(${[authorId]}::bigint[])`,
    projectId !== undefined && sql`t.project_id = any(${[projectId]}::bigint[])`,
    type !== undefined && sql`t.target_type = any(${[type]}::text[])`,
    groupId !== undefined &&
      sql`p.namespace_id in (
        select _d.id from (select ${groupId}::bigint as group_id) _g cross join lateral (${raw(descendants("_g.group_id"))}) _d)`
  )

/**
 * The order of the list, the newest first, as an index has it: behind the column that is asked for, which has one value. Nobody knows which
 * values are rare, and the planner would go through all to-dos of the user where it thinks that enough of them fit.
 */
const orderBy = ({ action, authorId, projectId, type }: TodoFilter): Fragment => {
  if (action !== undefined) return raw("t.action desc, t.id desc")
  if (authorId !== undefined) return raw("t.author_id desc, t.id desc")
  if (projectId !== undefined) return raw("t.project_id desc, t.id desc")
  return raw(type === undefined ? "t.id desc" : "t.target_type desc, t.id desc")
}

/** The rows of a page are found first, so that projects and people are only looked for where they are shown. */
const listing = (filter: TodoFilter): Listing => {
  const found = (selected: Fragment) => sql`
    select ${selected} from rm_todos.todos t ${project} where ${isFound(filter)} order by ${orderBy(filter)}`
  return {
    rows: (page) => sql`select ${columns} from (${found(raw("t.*"))} ${slice(page)}) t ${project} order by t.id desc`,
    counted: found(raw("t.id"))
  }
}

const queriesOf = (client: Client): TodoQueries["Service"] => ({
  list: (filter, page) => selectListed<TodoRow>(client, listing(filter), page),
  find: (userId, id) =>
    Effect.map(
      select<TodoRow>(
        client,
        sql`select ${columns} from rm_todos.todos t ${project} where t.id = ${id} and t.user_id = ${userId}`
      ),
      ([found]): TodoRow | undefined => found
    ),
  pending: (userId, { after, limit }) =>
    Effect.map(
      select<Target & { readonly id: number }>(
        client,
        sql`select t.id, t.target_type as type, t.project_id as "projectId", t.iid from rm_todos.todos t
          where t.user_id = ${userId} and t.state = 'pending' and t.id > ${after} order by t.id ${slice({ limit, offset: 0 })}`
      ),
      (rows) => rows.map(({ id, ...target }) => ({ id, target }))
    ),
  pendingFrom: (userId, { branches, projectId }) =>
    select<Target>(
      client,
      sql`select t.target_type as type, t.project_id as "projectId", t.iid
        from rm_merge_requests.merge_requests m
        join rm_todos.todos t on t.target_type = 'MergeRequest' and t.project_id = m.project_id and t.iid = m.iid
        where m.source_project_id = ${projectId} and m.source_branch = any(${branches}::text[]) and m.state = 'opened'
          and t.user_id = ${userId} and t.state = 'pending'
        order by t.id`
    ),
  proposedWith: (pipelineId) =>
    Effect.map(
      select<Omit<Target, "type"> & Pick<Proposed, "authorId">>(
        client,
        sql`select m.project_id as "projectId", m.iid, m.author_id as "authorId"
          from rm_pipelines.pipelines l cross join lateral (
            select project_id, iid, author_id, sha, state from rm_merge_requests.merge_requests where id = l.merge_request_id
            union all
            select project_id, iid, author_id, sha, state from rm_merge_requests.merge_requests
            where source_project_id = l.project_id and source_branch = l.ref and not l.is_tag and l.merge_request_id is null
          ) m where l.id = ${pipelineId} and m.sha = l.sha and m.state = 'opened' order by m.project_id, m.iid`
      ),
      (rows) =>
        rows.map(({ authorId, iid, projectId }): Proposed => ({ target: { type: "MergeRequest", projectId, iid }, authorId }))
    ),
  authorOf: ({ iid, projectId }) =>
    Effect.map(
      select<{ readonly author_id: number }>(
        client,
        sql`select m.author_id from rm_merge_requests.merge_requests m where m.project_id = ${projectId} and m.iid = ${iid}`
      ),
      ([found]) => found?.author_id
    )
})

/** Answers questions about to-dos from Postgres. */
export const todoQueries: Layer.Layer<TodoQueries, never, Sql> = Layer.effect(
  TodoQueries,
  Effect.map(Sql, ({ client }) => queriesOf(client))
)
