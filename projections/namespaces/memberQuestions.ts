import { Effect } from "effect"
import type { MemberReader } from "#projections/namespaces/access.ts"
import { contains } from "#projections/search.ts"
import { accessLevel } from "#src/members/levels.ts"
import type { MemberFilter, MemberQuestions, MemberRow, MembersOf } from "#src/members/questions.ts"
import { all, any, type Fragment, raw, select, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

/** Whoever asks for all members, in the texts of `MemberTables`. */
export const reader: MemberReader = { user: "$3", isAdministrator: "$4", isExternal: "$5" }

/**
 * The texts of select statements that find the memberships of the group or project `$1`, without those that have ended. Their columns
 * are those of a table of members.
 */
export interface MemberTables {
  readonly direct: string
  /** The memberships inherited from ancestors, without shares; they have `group_name` as well. */
  readonly inherited: string
  /** The condition that somebody other than the user `$2` owns the target by inheritance. */
  readonly hasInheritedOwner: string
  /**
   * All memberships that `reader` may see, with `distance`, and `hides_creator` where `reader` may not see who added the member; a user
   * has one for each way to the target.
   */
  readonly all: string
}

const reference = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

const columns = `m.access_level, m.created_at, m.updated_at, m.expires_at, ${reference("u")} as "user",
  case when m.hides_creator then '"hidden"'::json when c.id is null then null else ${reference("c")} end as created_by`

const withCreators = (memberships: string): string => `select *, false as hides_creator from (${memberships}) _direct`

/** Each user once, with the highest level; of several the one that lasts longest, then the nearest. */
const highest = (memberships: string): string => `
  select distinct on (user_id) * from (${memberships}) _all
  order by user_id, access_level desc, expires_at desc nulls first, distance`

const conditions = ({ search, userIds, withoutUserIds }: MemberFilter): Fragment =>
  all(
    search !== undefined && any(contains("u.name", search), contains("u.username", search)),
    userIds !== undefined && sql`u.id = any(${[...userIds]}::bigint[])`,
    withoutUserIds !== undefined && sql`u.id <> all(${[...withoutUserIds]}::bigint[])`
  )

/** Answers questions about members from their tables. */
export const memberQuestions = (client: Client, tables: MemberTables): MemberQuestions => {
  const thing = (id: number, userId: number | null = null) =>
    sql`with thing as (select ${id}::bigint as id, ${userId}::bigint as user_id)`
  const membersOf = ({ id, reader }: MembersOf) =>
    sql`${thing(id)}, reader as (
      select ${reader?.userId ?? null}::bigint as user_id, ${reader?.isAdministrator === true}::boolean as is_administrator,
        ${reader?.isExternal === true}::boolean as is_external)`
  const ofThing = (text: string) =>
    raw(
      text
        .replaceAll("$1", "(select id from thing)")
        .replaceAll("$2", "(select user_id from thing)")
        .replaceAll("$3", "(select user_id from reader)")
        .replaceAll("$4", "(select is_administrator from reader)")
        .replaceAll("$5", "(select is_external from reader)")
    )
  const members = ({ reader }: MembersOf) =>
    ofThing(
      `from (${reader === undefined ? withCreators(tables.direct) : highest(tables.all)}) m
        join rm_users.users u on u.id = m.user_id left join rm_users.users c on c.id = m.created_by`
    )
  return {
    list: (of, filter, { limit, offset }) =>
      selectPage<MemberRow>(client, {
        rows: sql`${membersOf(of)} select ${raw(columns)} ${members(of)} where ${conditions(filter)}
          order by m.created_at, u.id ${slice({ limit, offset })}`,
        count: sql`${membersOf(of)} select count(*) as total ${members(of)} where ${conditions(filter)}`
      }),
    find: (of, userId) =>
      Effect.map(
        select<MemberRow>(client, sql`${membersOf(of)} select ${raw(columns)} ${members(of)} where u.id = ${userId}`),
        ([row]) => row
      ),
    inherited: (id, userId) =>
      Effect.map(
        select<{ access_level: number; group_name: string }>(
          client,
          sql`${thing(id)} select m.access_level, m.group_name from (${ofThing(tables.inherited)}) m
            where m.user_id = ${userId} order by m.access_level desc limit 1`
        ),
        ([row]) => row
      ),
    otherOwners: (id, userId) =>
      Effect.map(
        select<{ hasOtherOwner: boolean; hasInheritedOwner: boolean }>(
          client,
          sql`${thing(id, userId)}, inherited as (select ${ofThing(tables.hasInheritedOwner)} as it)
            select inherited.it as "hasInheritedOwner", inherited.it or exists (
              select from (${ofThing(tables.direct)}) m join rm_users.users u on u.id = m.user_id
              where m.access_level = ${accessLevel.owner} and m.user_id <> ${userId}
            ) as "hasOtherOwner" from inherited`
        ),
        ([row]) => row ?? { hasOtherOwner: false, hasInheritedOwner: false }
      )
  }
}
