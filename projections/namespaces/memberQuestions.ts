import { Effect } from "effect"
import { contains } from "#projections/users/search.ts"
import type { MemberFilter, MemberQuestions, MemberRow, MemberScope } from "#src/members/questions.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"

/**
 * Where the memberships of one kind of thing are: texts of select statements about the thing `$1`, without memberships that have
 * ended. The columns are those of a table of members.
 */
export interface MemberTables {
  readonly direct: string
  /** Those from above, shares apart, with `group_name` besides. */
  readonly inherited: string
  /** The condition that somebody else than the user `$2` owns the thing from above. */
  readonly hasInheritedOwner: string
  /** Everything, with `distance`: a user has one for each way. */
  readonly all: string
}

const reference = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

const columns = `m.access_level, m.created_at, m.updated_at, m.expires_at, ${reference("u")} as "user",
  case when c.id is null then null else ${reference("c")} end as created_by`

/** Each user once, with the highest level; of several the one that lasts longest, then the nearest. */
const highest = (memberships: string): string => `
  select distinct on (user_id) * from (${memberships}) _all
  order by user_id, access_level desc, expires_at desc nulls first, distance`

/** Answers questions about members from their tables. */
export const memberQuestions = (sql: Client, tables: MemberTables): MemberQuestions => {
  const of: Readonly<Record<MemberScope, string>> = { direct: tables.direct, all: highest(tables.all) }
  const members = (scope: MemberScope) => `
    from (${of[scope]}) m join rm_users.users u on u.id = m.user_id left join rm_users.users c on c.id = m.created_by`
  const thing = (id: number, userId: number | null = null) =>
    sql`with thing as (select ${id}::bigint as id, ${userId}::bigint as user_id)`
  const unsafe = (text: string) =>
    sql.unsafe(text.replaceAll("$1", "(select id from thing)").replaceAll("$2", "(select user_id from thing)"))
  const conditions = ({ search, userIds, withoutUserIds }: MemberFilter) => sql`
    true
    ${search === undefined ? sql`` : sql`and (${contains(sql, "u.name", search)} or ${contains(sql, "u.username", search)})`}
    ${userIds === undefined ? sql`` : sql`and u.id = any(${[...userIds]}::bigint[])`}
    ${withoutUserIds === undefined ? sql`` : sql`and u.id <> all(${[...withoutUserIds]}::bigint[])`}`
  return {
    list: Effect.fn("MemberQuestions.list")(function* (scope, id, filter, { limit, offset }) {
      const rows = query(
        () => sql<Array<MemberRow>>`
          ${thing(id)} select ${sql.unsafe(columns)} ${unsafe(members(scope))} where ${conditions(filter)}
          order by m.created_at, u.id limit ${limit} offset ${offset}`
      )
      const count = query(
        () => sql<Array<{ total: number }>>`
          ${thing(id)} select count(*) as total ${unsafe(members(scope))} where ${conditions(filter)}`
      )
      const [found, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
      return { rows: found, total: counted?.total ?? 0 }
    }),
    find: (scope, id, userId) =>
      Effect.map(
        query(
          () => sql<Array<MemberRow>>`
            ${thing(id)} select ${sql.unsafe(columns)} ${unsafe(members(scope))} where u.id = ${userId}`
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
            ${thing(id, userId)}, inherited as (select ${unsafe(tables.hasInheritedOwner)} as it)
            select inherited.it as "hasInheritedOwner", inherited.it or exists (
              select from (${unsafe(tables.direct)}) m join rm_users.users u on u.id = m.user_id
              where m.access_level = 50 and m.user_id <> ${userId}
            ) as "hasOtherOwner" from inherited`
        ),
        ([row]) => row ?? { hasOtherOwner: false, hasInheritedOwner: false }
      )
  }
}
