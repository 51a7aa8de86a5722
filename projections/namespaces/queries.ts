import { Context, Effect, Layer } from "effect"
import { contains } from "#projections/users/search.ts"
import { type GroupRow, Groups, type SharingRules } from "#src/groups/Groups.ts"
import { type GroupFilter, GroupQueries, type ListedNamespace, type NamespaceFilter, relatedGroups } from "#src/groups/Queries.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import type { ShareRow } from "#src/members/questions.ts"

import { prepareUpToLimit } from "#src/platform/sql/preparedStatements.ts"
import { type Client, type Fragment, query, Sql } from "#src/platform/sql/Sql.ts"

import { allMemberships, isCurrent, memberships, roleInPlace } from "./access.ts"
import { namespaceColumns } from "./columns.ts"
import { descendants, namespacePath, namespaceTitles, showsMore, withAncestors } from "./expressions.ts"
import { findNamespace } from "./find.ts"
import { groupListAfter, groupListConditions, groupListOrder, groupListTables } from "./groupList.ts"
import { memberQuestions } from "./memberQuestions.ts"
import { sharesOf } from "./shares.ts"

const memberCount = (namespace: string): string => `(
  select count(distinct m.user_id) from rm_namespaces.group_members m
  where m.group_id in (select id from (${descendants(namespace)}) _d) and ${isCurrent("m")})`

const inherited = `select * from (${memberships("$1")}) _all where distance > 0`

const membersOf = (sql: Client) =>
  memberQuestions(sql, {
    direct: `select * from rm_namespaces.group_members m where m.group_id = $1 and ${isCurrent("m")}`,
    inherited,
    hasInheritedOwner: `exists (select from (${inherited}) _i where access_level = 50 and user_id <> $2)`,
    all: allMemberships({ namespace: "$1" })
  })

const sharesText = sharesOf("rm_namespaces.group_shares", "group_id")

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

/** The rows of a list: which of them first, so that full paths are only made of those that are shown. */
const groupRows = (sql: Client, filter: GroupFilter, slice: Fragment, further: Fragment = sql``) =>
  prepareUpToLimit(
    sql,
    sql<Array<GroupRow>>`
  ${groupListTables(sql, filter)}, listed as materialized (
    select g.*, row_number() over () as place from (
      select g.* from rm_namespaces.namespaces g where ${groupListConditions(sql, filter)} ${further}
      order by ${groupListOrder(sql, filter)} ${slice}
    ) g
  )
  select ${sql.unsafe(namespaceColumns("g", "t"))} from listed g
  cross join lateral (${sql.unsafe(namespaceTitles("g.id"))}) t order by g.place`
  )

const queriesOf = (sql: Client): GroupQueries["Service"] => ({
  list: Effect.fn("GroupQueries.list")(function* (filter, { limit, offset }) {
    const rows = query(() => groupRows(sql, filter, sql`limit ${limit} offset ${offset}`))
    const count = query(() =>
      prepareUpToLimit(
        sql,
        sql<Array<{ total: number }>>`
        ${groupListTables(sql, filter)} select count(*) as total from rm_namespaces.namespaces g
        where ${groupListConditions(sql, filter)}`
      )
    )
    const [groups, [counted]] = yield* Effect.all([rows, count], { concurrency: 2 })
    return { rows: groups, total: counted?.total ?? 0 }
  }),
  listAfter: (filter, after, limit) =>
    query(() => {
      const behind = after === undefined ? sql`` : sql`and ${groupListAfter(sql, filter, after)}`
      return groupRows(sql, filter, sql`limit ${limit}`, behind)
    }),
  namespaces: Effect.fn("GroupQueries.namespaces")(function* (filter, { limit, offset }) {
    const rows = query(
      () => sql<Array<ListedNamespace>>`
        with asked(viewer) as (select ${filter.viewer.userId}::bigint)
        select row_to_json(shown) as namespace, ${sql.unsafe(memberCount("n.id"))} as members, s.role
        from (
          select n.* from rm_namespaces.namespaces n
          where ${namespaceConditions(sql, filter)} order by n.id limit ${limit} offset ${offset}
        ) n
        cross join lateral (${sql.unsafe(roleInPlace("(select viewer from asked)", { namespace: "n.id" }))}) s
        cross join lateral (select ${sql.unsafe(namespaceColumns("n", "s"))}) shown order by n.id`
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
          `select id from (${descendants("$1::bigint")}) d where id <> $1 group by id order by min(depth) desc, id`,
          [groupId]
        )
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  showingMore: (groupIds, than) =>
    Effect.map(
      query(
        () => sql<Array<{ id: number }>>`
          select n.id from unnest(${[...groupIds]}::bigint[]) with ordinality as g(id, place)
          join rm_namespaces.namespaces n on n.id = g.id where ${showsMore(sql, "n.visibility", than)} order by g.place`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  levelsBelow: (groupId) =>
    Effect.map(
      query(() =>
        sql.unsafe<Array<{ levels: number }>>(
          `select max(nearest) as levels from (select min(depth) as nearest from (${descendants("$1::bigint")}) d group by id) d`,
          [groupId]
        )
      ),
      ([row]) => row?.levels ?? 0
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
  shares: (groupId, userId) => query(() => sql.unsafe<Array<ShareRow>>(sharesText, [[groupId], userId ?? null])),
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

const sharingText = `${withAncestors("$1", ["id", "prevent_sharing_groups_outside_hierarchy", "share_with_group_lock"])}
  select array_agg(id order by distance) as path, bool_or(share_with_group_lock) as "areProjectsLocked",
    bool_or(parent_id is null and prevent_sharing_groups_outside_hierarchy) as "isOnlyWithin" from _up`

const sharingOf =
  (sql: Client): Groups["Service"]["sharing"] =>
  (namespaceId) =>
    Effect.map(
      query(() => sql.unsafe<Array<{ [Name in keyof SharingRules]: SharingRules[Name] | null }>>(sharingText, [namespaceId])),
      ([row]) => ({
        path: row?.path ?? [],
        isOnlyWithin: row?.isOnlyWithin === true,
        areProjectsLocked: row?.areProjectsLocked === true
      })
    )

/** Answers for groups and namespaces from the read model `namespaces`. */
export const namespaceQueries: Layer.Layer<Groups | GroupQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    const queries = queriesOf(client)
    const groups = Groups.of({
      find: findNamespace(lookups),
      directMembersAmong: directMembersAmong(client),
      relatedToProject: (relation, viewer, conditions, slice) => queries.list(relatedGroups(relation, viewer, conditions), slice),
      sharing: sharingOf(client)
    })
    return Context.make(Groups, groups).pipe(Context.add(GroupQueries, queries))
  })
)
