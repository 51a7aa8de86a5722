import { Effect } from "effect"
import { contains } from "#projections/users/search.ts"
import type { MemberFilter, MemberQuestions, MemberRow, MemberScope } from "#src/members/questions.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"

/**
 * Where the memberships of one kind of thing are: texts of select statements about the thing `$1` with the columns of a table of
 * members, without those that have ended. `inherited` has `group_name` besides; `all` has each user once.
 */
export interface MemberTables {
  readonly direct: string
  readonly inherited: string
  readonly all: string
}

const reference = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

const columns = `m.access_level, m.created_at, m.updated_at, m.expires_at, ${reference("u")} as "user",
  case when c.id is null then null else ${reference("c")} end as created_by`

const joined = (memberships: string): string => `
  from (${memberships}) m join rm_users.users u on u.id = m.user_id left join rm_users.users c on c.id = m.created_by`

/** Answers questions about members from their tables. */
export const memberQuestions = (sql: Client, tables: MemberTables): MemberQuestions => {
  const from = (scope: MemberScope) => joined(scope === "direct" ? tables.direct : tables.all)
  // The texts name the thing `$1`, so it has to be the first value of each statement.
  const thing = (id: number) => sql`with thing as (select ${id}::bigint as id)`
  const unsafe = (text: string) => sql.unsafe(text.replaceAll("$1", "(select id from thing)"))
  const conditions = ({ search, userIds, withoutUserIds }: MemberFilter) => sql`
    true
    ${search === undefined ? sql`` : sql`and (${contains(sql, "u.name", search)} or ${contains(sql, "u.username", search)})`}
    ${userIds === undefined ? sql`` : sql`and u.id = any(${[...userIds]}::bigint[])`}
    ${withoutUserIds === undefined ? sql`` : sql`and u.id <> all(${[...withoutUserIds]}::bigint[])`}`
  return {
    list: Effect.fn("MemberQuestions.list")(function* (scope, id, filter, { limit, offset }) {
      const rows = query(
        () => sql<Array<MemberRow>>`
          ${thing(id)} select ${sql.unsafe(columns)} ${unsafe(from(scope))} where ${conditions(filter)}
          order by m.created_at, u.id limit ${limit} offset ${offset}`
      )
      const count = query(
        () => sql<Array<{ total: number }>>`
          ${thing(id)} select count(*) as total ${unsafe(from(scope))} where ${conditions(filter)}`
      )
      const [found, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
      return { rows: found, total: counted?.total ?? 0 }
    }),
    find: (scope, id, userId) =>
      Effect.map(
        query(
          () => sql<Array<MemberRow>>`
            ${thing(id)} select ${sql.unsafe(columns)} ${unsafe(from(scope))} where u.id = ${userId}`
        ),
        ([row]) => row
      ),
    inherited: (id, userId) =>
      Effect.map(
        query(
          () => sql<Array<{ access_level: number; group_name: string }>>`
            ${thing(id)} select m.access_level, m.group_name from (${unsafe(tables.inherited)}) m
            where m.user_id = ${userId} order by m.access_level desc limit 1`
        ),
        ([row]) => row
      ),
    otherOwners: (id, userId) =>
      Effect.map(
        query(
          () => sql<Array<{ hasOtherOwner: boolean; hasInheritedOwner: boolean }>>`
            ${thing(id)}
            select
              exists (select from (${unsafe(tables.all)}) m where m.access_level = 50 and m.user_id <> ${userId}) as "hasOtherOwner",
              exists (select from (${unsafe(tables.inherited)}) m where m.access_level = 50 and m.user_id <> ${userId})
                as "hasInheritedOwner"`
        ),
        ([row]) => row ?? { hasOtherOwner: false, hasInheritedOwner: false }
      )
  }
}
