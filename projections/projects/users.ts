import { Effect } from "effect"
import { isCurrent } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/users/search.ts"
import type { UserReferenceRow } from "#src/http/shapes.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectReadModel } from "#src/projects/ReadModel.ts"

/** Ids of the users who have a role in a project, by itself or by a namespace above it. */
const usersWithRole = (sql: Client, projectId: number) => sql`
  with recursive _up(id, parent_id, owner_id) as (
    select n.id, n.parent_id, n.owner_id from rm_projects.projects p
    join rm_namespaces.namespaces n on n.id = p.namespace_id where p.id = ${projectId}
    union all
    select n.id, n.parent_id, n.owner_id from _up join rm_namespaces.namespaces n on n.id = _up.parent_id
  )
  select m.user_id from rm_projects.project_members m where m.project_id = ${projectId} and ${sql.unsafe(isCurrent("m"))}
  union select g.user_id from _up join rm_namespaces.group_members g on g.group_id = _up.id where ${sql.unsafe(isCurrent("g"))}
  union select owner_id from _up where owner_id is not null`

/** Users of a project, newest first. */
export const usersOf =
  (sql: Client): ProjectReadModel["Service"]["users"] =>
  (projectId, { except = [], search }, { limit, offset }) => {
    const where = () => sql`
      u.id in (${usersWithRole(sql, projectId)}) and u.id <> all (${[...except]}::bigint[])
      ${search === undefined ? sql`` : sql`and (${contains(sql, "u.name", search)} or ${contains(sql, "u.username", search)})`}`
    return Effect.all(
      {
        rows: query(
          () => sql<Array<UserReferenceRow>>`
            select u.id, u.username, u.name, u.state from rm_users.users u where ${where()}
            order by u.id desc limit ${limit} offset ${offset}`
        ),
        total: Effect.map(
          query(() => sql<Array<{ total: number }>>`select count(*) as total from rm_users.users u where ${where()}`),
          ([row]) => row?.total ?? 0
        )
      },
      { concurrency: 2 }
    )
  }
