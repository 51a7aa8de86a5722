import { Effect } from "effect"
import { isCurrent } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/users/search.ts"
import type { MemberFilter, MemberQuestions, MemberRow, MemberScope } from "#src/members/questions.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"

/** The groups above a project, as the common table `above`; begins a statement. */
const above = (sql: Client, projectId: number) => sql`
  with recursive above(id, parent_id, owner_id, name) as (
    select n.id, n.parent_id, n.owner_id, n.name from rm_projects.projects p
    join rm_namespaces.namespaces n on n.id = p.namespace_id where p.id = ${projectId}
    union all
    select n.id, n.parent_id, n.owner_id, n.name from above join rm_namespaces.namespaces n on n.id = above.parent_id
  )`

/** Memberships in the project, and in the groups above it for `all`; of several of one user the highest, the nearest first. */
const memberships = (sql: Client, scope: MemberScope, projectId: number) => sql`
  select distinct on (user_id) * from (
    select m.user_id, m.access_level, m.created_at, m.updated_at, m.expires_at, m.created_by, 0 as distance
    from rm_projects.project_members m where m.project_id = ${projectId} and ${sql.unsafe(isCurrent("m"))}
    ${
      scope === "direct"
        ? sql``
        : sql`union all
    select g.user_id, g.access_level, g.created_at, g.updated_at, g.expires_at, g.created_by, 1
    from above join rm_namespaces.group_members g on g.group_id = above.id where ${sql.unsafe(isCurrent("g"))}`
    }
  ) each_one order by user_id, access_level desc, distance`

const from = (sql: Client, scope: MemberScope, projectId: number) => sql`
  from (${memberships(sql, scope, projectId)}) m
  join rm_users.users u on u.id = m.user_id
  left join rm_users.users c on c.id = m.created_by`

const reference = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

const columns = `m.access_level, m.created_at, m.updated_at, m.expires_at, ${reference("u")} as user,
  case when c.id is null then null else ${reference("c")} end as created_by`

const where = (sql: Client, { search, userIds, withoutUserIds }: MemberFilter) => sql`
  true
  ${search === undefined ? sql`` : sql`and (${contains(sql, "u.name", search)} or ${contains(sql, "u.username", search)})`}
  ${userIds === undefined ? sql`` : sql`and u.id = any (${[...userIds]}::bigint[])`}
  ${withoutUserIds === undefined ? sql`` : sql`and u.id <> all (${[...withoutUserIds]}::bigint[])`}`

/** Questions about the members of projects. */
export const memberQuestionsOf = (sql: Client): MemberQuestions => ({
  list: (scope, id, filter, { limit, offset }) =>
    Effect.all(
      {
        rows: query(
          () => sql<Array<MemberRow>>`
            ${above(sql, id)} select ${sql.unsafe(columns)} ${from(sql, scope, id)} where ${where(sql, filter)}
            order by m.created_at, u.id limit ${limit} offset ${offset}`
        ),
        total: Effect.map(
          query(
            () => sql<Array<{ total: number }>>`
              ${above(sql, id)} select count(*) as total ${from(sql, scope, id)} where ${where(sql, filter)}`
          ),
          ([row]) => row?.total ?? 0
        )
      },
      { concurrency: 2 }
    ),
  find: (scope, id, userId) =>
    Effect.map(
      query(
        () => sql<Array<MemberRow>>`
          ${above(sql, id)} select ${sql.unsafe(columns)} ${from(sql, scope, id)} where u.id = ${userId}`
      ),
      ([row]) => row
    ),
  inherited: (id, userId) =>
    Effect.map(
      query(
        () => sql<Array<{ access_level: number; group_name: string }>>`
          ${above(sql, id)} select g.access_level, above.name as group_name
          from above join rm_namespaces.group_members g on g.group_id = above.id and g.user_id = ${userId}
          where ${sql.unsafe(isCurrent("g"))} order by g.access_level desc limit 1`
      ),
      ([row]) => row
    ),
  // Whoever owns the group of a project stays its owner without being a member of the project, so they count as another one.
  otherOwners: (id, userId) =>
    Effect.map(
      query(
        () => sql<Array<{ hasInheritedOwner: boolean; hasOtherOwner: boolean }>>`
          ${above(sql, id)}, inherited as (
            select exists (
              select 1 from above join rm_namespaces.group_members g on g.group_id = above.id
              join rm_users.users u on u.id = g.user_id where g.access_level = 50 and ${sql.unsafe(isCurrent("g"))}
            ) or exists (select 1 from above where owner_id <> ${userId}) as it
          )
          select inherited.it as "hasInheritedOwner", inherited.it or exists (
            select 1 from rm_projects.project_members m join rm_users.users u on u.id = m.user_id
            where m.project_id = ${id} and m.access_level = 50 and u.id <> ${userId} and ${sql.unsafe(isCurrent("m"))}
          ) as "hasOtherOwner" from inherited`
      ),
      ([row]) => row ?? { hasInheritedOwner: false, hasOtherOwner: false }
    )
})
