import { Context, Effect, Layer } from "effect"
import { contains } from "#projections/users/search.ts"
import type { Visibility } from "#src/groups/events.ts"
import { type GroupRow, Groups } from "#src/groups/Groups.ts"
import { GroupsReadModel, type ListedNamespace, type NamespaceFilter } from "#src/groups/ReadModel.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { namespaceColumns } from "./columns.ts"
import { isCurrent, memberships, namespacePath, namespaceRole } from "./expressions.ts"
import { findNamespace } from "./find.ts"
import { groupListConditions, groupListOrder, groupListTables } from "./groupList.ts"
import { memberQuestions } from "./memberQuestions.ts"

/** The ids of the namespace and of those below it: a select statement. */
const downwards = (namespace: string): string => `
  with recursive _below(id, depth) as (
    select ${namespace}, 0
    union all
    select _n.id, _below.depth + 1 from _below join rm_namespaces.namespaces _n on _n.parent_id = _below.id
  )
  select id, depth from _below`

const memberCount = (namespace: string): string => `(
  select count(distinct m.user_id) from rm_namespaces.group_members m
  where m.group_id in (select id from (${downwards(namespace)}) _d) and ${isCurrent("m")})`

const all = memberships("$1::bigint")

const membersOf = (sql: Client) =>
  memberQuestions(sql, {
    direct: `select * from rm_namespaces.group_members m where m.group_id = $1 and ${isCurrent("m")}`,
    inherited: `select * from (${all}) _all where distance > 0`,
    all: `select distinct on (user_id) * from (${all}) _all
      order by user_id, access_level desc, expires_at desc nulls first, distance`
  })

const namespaceConditions = (sql: Client, { viewer, search, ownedOnly, topLevelOnly }: NamespaceFilter) => {
  const level = ownedOnly ? 50 : 1
  const isMine = sql`(n.owner_id = ${viewer.userId} or n.id in (
    select m.group_id from rm_namespaces.group_members m
    where m.user_id = ${viewer.userId} and m.access_level >= ${level} and ${sql.unsafe(isCurrent("m"))}))`
  const found = (text: string) => sql`(${contains(sql, "n.name", text)} or ${contains(sql, "n.path", text)})`
  const inFullPath = (text: string) => contains(sql, namespacePath("n.id"), text)
  return sql`
    n.id is not null
    ${viewer.isAdministrator && !ownedOnly ? sql`` : sql`and ${isMine}`}
    ${topLevelOnly ? sql`and n.parent_id is null` : sql``}
    ${search === undefined ? sql`` : sql`and ${search.fullPath ? inFullPath(search.text) : found(search.text)}`}`
}

const readModelOf = (sql: Client): GroupsReadModel["Service"] => ({
  list: Effect.fn("GroupsReadModel.list")(function* (filter, { limit, offset }) {
    const rows = query(
      () => sql<Array<GroupRow>>`
        ${groupListTables(sql, filter)} select ${sql.unsafe(namespaceColumns("g"))} from rm_namespaces.namespaces g
        where ${groupListConditions(sql, filter)} order by ${groupListOrder(sql, filter)} limit ${limit} offset ${offset}`
    )
    const count = query(
      () => sql<Array<{ total: number }>>`
        ${groupListTables(sql, filter)} select count(*) as total from rm_namespaces.namespaces g
        where ${groupListConditions(sql, filter)}`
    )
    const [groups, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
    return { rows: groups, total: counted?.total ?? 0 }
  }),
  namespaces: Effect.fn("GroupsReadModel.namespaces")(function* (filter, { limit, offset }) {
    const rows = query(
      () => sql<Array<ListedNamespace>>`
        select row_to_json(s) as namespace, ${sql.unsafe(memberCount("s.id"))} as members,
          ${sql.unsafe(namespaceRole(String(filter.viewer.userId), "s.id"))} as role
        from (
          select ${sql.unsafe(namespaceColumns("n"))} from rm_namespaces.namespaces n
          where ${namespaceConditions(sql, filter)} order by n.id limit ${limit} offset ${offset}
        ) s order by s.id`
    )
    const count = query(
      () =>
        sql<
          Array<{ total: number }>
        >`select count(*) as total from rm_namespaces.namespaces n where ${namespaceConditions(sql, filter)}`
    )
    const [found, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
    return { rows: found, total: counted?.total ?? 0 }
  }),
  countMembers: (groupId) =>
    Effect.map(
      query(() => sql.unsafe<Array<{ members: number }>>(`select ${memberCount("$1::bigint")} as members`, [groupId])),
      ([row]) => row?.members ?? 0
    ),
  isTaken: (path, parentId, except) =>
    Effect.map(
      query(
        () => sql`
          select from rm_namespaces.namespaces n
          where coalesce(n.parent_id, 0) = ${parentId ?? 0} and lower(n.path) = ${path.toLowerCase()}
            and (n.kind <> 'group' or n.subject_id is distinct from ${except}::bigint) limit 1`
      ),
      (rows) => rows.length > 0
    ),
  around: (parentId, groupId) =>
    Effect.map(
      query(
        () => sql<Array<{ parentVisibility: Visibility | null; subgroupVisibility: Visibility | null }>>`
          select
            (select visibility from rm_namespaces.namespaces where id = ${parentId}::bigint) as "parentVisibility",
            (select visibility from rm_namespaces.namespaces where parent_id = ${groupId}::bigint
             order by array_position(array['public', 'internal', 'private'], visibility) limit 1) as "subgroupVisibility"`
      ),
      ([row]) => row ?? { parentVisibility: null, subgroupVisibility: null }
    ),
  descendants: (groupId) =>
    Effect.map(
      query(() =>
        sql.unsafe<Array<{ id: number }>>(
          `select id from (${downwards("$1::bigint")}) d where depth > 0 order by depth desc, id`,
          [groupId]
        )
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  membershipsIn: (groupIds, userId) =>
    Effect.map(
      query(
        () => sql<Array<{ id: number }>>`
          select group_id as id from rm_namespaces.group_members
          where group_id = any(${[...groupIds]}::bigint[]) and user_id = ${userId} order by group_id`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  members: membersOf(sql)
})

const directMembersAmong =
  (sql: Client): Groups["Service"]["directMembersAmong"] =>
  (userIds, groupIds) =>
    Effect.map(
      query(
        () => sql<Array<{ id: number }>>`
          select distinct m.user_id as id from rm_namespaces.group_members m
          where m.group_id = any(${[...groupIds]}::bigint[]) and m.user_id = any(${[...userIds]}::bigint[])
            and ${sql.unsafe(isCurrent("m"))}`
      ),
      (rows) => rows.map(({ id }) => id)
    )

/** Answers for groups and namespaces from the read model `namespaces`. */
export const namespacesQueries: Layer.Layer<Groups | GroupsReadModel, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    const groups = Groups.of({ find: findNamespace(lookups), directMembersAmong: directMembersAmong(client) })
    return Context.make(Groups, groups).pipe(Context.add(GroupsReadModel, readModelOf(client)))
  })
)
