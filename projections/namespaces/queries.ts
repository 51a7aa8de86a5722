import { Context, Effect, Layer } from "effect"
import { contains } from "#projections/search.ts"
import { type GroupRow, Groups, type SharingRules } from "#src/groups/Groups.ts"
import {
  type GroupFilter,
  type GroupKey,
  GroupQueries,
  type ListedNamespace,
  type NamespaceFilter,
  relatedGroups
} from "#src/groups/Queries.ts"
import { moreVisibleThan, type Visibility } from "#src/kernel/visibility.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, raw, select, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { allMemberships, isCurrent, memberships, roleInPlace } from "./access.ts"
import { namespaceColumns } from "./columns.ts"
import { descendants, namespacePath, namespaceTitles, visibilityRank, withAncestors } from "./expressions.ts"
import { findNamespace } from "./find.ts"
import { groupListAfter, groupListConditions, groupListOrder, groupListTables } from "./groupList.ts"
import { memberQuestions, reader } from "./memberQuestions.ts"
import { sharesOf } from "./shares.ts"

const memberCount = (namespace: string): string => `(
  select count(distinct m.user_id) from rm_namespaces.group_members m
  where m.group_id in (select id from (${descendants(namespace)}) _d) and ${isCurrent("m")})`

const inherited = `select * from (${memberships("$1")}) _all where distance > 0`

const membersOf = (client: Client) =>
  memberQuestions(client, {
    direct: `select * from rm_namespaces.group_members m where m.group_id = $1 and ${isCurrent("m")}`,
    inherited,
    hasInheritedOwner: `exists (select from (${inherited}) _i where access_level = ${accessLevel.owner} and user_id <> $2)`,
    all: allMemberships({ namespace: "$1" }, reader)
  })

const namespaceConditions = ({ viewer, search, ownedOnly, topLevelOnly }: NamespaceFilter): Fragment => {
  const memberships = sql`
    select m.group_id from rm_namespaces.group_members m
    where m.user_id = ${viewer.userId} and m.access_level >= ${ownedOnly ? accessLevel.owner : accessLevel.minimal} and ${raw(isCurrent("m"))}`
  const isMine = any(sql`n.owner_id = ${viewer.userId}`, sql`n.id in (${memberships})`)
  const found = (text: string) => any(contains("n.name", text), contains("n.path", text))
  const inFullPath = (text: string) => contains(namespacePath("n.id"), text)
  return all(
    raw("n.id is not null"),
    !(viewer.isAdministrator && !ownedOnly) && isMine,
    topLevelOnly && raw("n.parent_id is null"),
    search !== undefined && (search.fullPath ? inFullPath(search.text) : found(search.text))
  )
}

interface GroupSlice {
  readonly limit: number
  readonly offset: number
  /** The entry after which the list goes on. */
  readonly after?: GroupKey | undefined
}

/** The rows of a list: which of them first, so that full paths are only made of those that are shown. */
const groupRows = (filter: GroupFilter, { after, limit, offset }: GroupSlice): Fragment => sql`
  ${groupListTables(filter)}, listed as materialized (
    select g.*, row_number() over () as place from (
      select g.* from rm_namespaces.namespaces g
      where ${all(groupListConditions(filter), after !== undefined && groupListAfter(filter, after))}
      order by ${groupListOrder(filter)} ${slice({ limit, offset })}
    ) g
  )
  select ${raw(namespaceColumns("g", "t"))} from listed g
  cross join lateral (${raw(namespaceTitles("g.id"))}) t order by g.place`

/** Most groups are shared with none, which costs little to know for many at a time. */
const sharesOfGroups = (lookups: Client): GroupQueries["Service"]["shares"] => {
  const findShared = lookupById<{ readonly id: number }>(
    lookups,
    "select distinct s.group_id as id from rm_namespaces.group_shares s where s.group_id = any($1::bigint[])"
  )
  const sharesOfThose = sharesOf(lookups, "rm_namespaces.group_shares", "group_id")
  return Effect.fnUntraced(function* (groupId, viewer) {
    return (yield* findShared(groupId)) === undefined ? [] : yield* sharesOfThose([groupId], viewer)
  })
}

const queriesOf = ({ client, lookups }: Sql["Service"]): GroupQueries["Service"] => ({
  list: (filter, slice) =>
    selectPage<GroupRow>(client, {
      rows: groupRows(filter, slice),
      count: sql`
        ${groupListTables(filter)} select count(*) as total from rm_namespaces.namespaces g where ${groupListConditions(filter)}`
    }),
  listAfter: (filter, after, limit) => select<GroupRow>(client, groupRows(filter, { limit, offset: 0, after })),
  namespaces: (filter, { limit, offset }) =>
    selectPage<ListedNamespace>(client, {
      rows: sql`
        with asked(viewer) as (select ${filter.viewer.userId}::bigint)
        select row_to_json(shown) as namespace, ${raw(memberCount("n.id"))} as members, s.role
        from (
          select n.* from rm_namespaces.namespaces n
          where ${namespaceConditions(filter)} order by n.id ${slice({ limit, offset })}
        ) n
        cross join lateral (${raw(roleInPlace("(select viewer from asked)", { namespace: "n.id" }))}) s
        cross join lateral (select ${raw(namespaceColumns("n", "s"))}) shown order by n.id`,
      count: sql`select count(*) as total from rm_namespaces.namespaces n where ${namespaceConditions(filter)}`
    }),
  countMembers: (groupId) =>
    Effect.map(
      query(() => client.unsafe<Array<{ members: number }>>(`select ${memberCount("$1::bigint")} as members`, [groupId])),
      ([row]) => row?.members ?? 0
    ),
  isTaken: (path, parentId, except) =>
    Effect.map(
      query(
        () => client`
          select from rm_namespaces.namespaces n
          where coalesce(n.parent_id, 0) = ${parentId ?? 0} and lower(n.path) = ${path.toLowerCase()}
            and (n.kind <> 'group' or n.subject_id is distinct from ${except}::bigint) limit 1`
      ),
      (rows) => rows.length > 0
    ),
  surroundings: (parentId, groupId) =>
    Effect.map(
      query(
        () => client<Array<{ parentVisibility: Visibility | null; subgroupVisibility: Visibility | null }>>`
          select
            (select visibility from rm_namespaces.namespaces where id = ${parentId}::bigint) as "parentVisibility",
            (select visibility from rm_namespaces.namespaces where parent_id = ${groupId}::bigint
             order by ${client.unsafe(visibilityRank("visibility"))} desc limit 1) as "subgroupVisibility"`
      ),
      ([row]) => row ?? { parentVisibility: null, subgroupVisibility: null }
    ),
  descendants: (groupId) =>
    Effect.map(
      query(() =>
        client.unsafe<Array<{ id: number }>>(
          `select id from (${descendants("$1::bigint")}) d where id <> $1 group by id order by min(depth) desc, id`,
          [groupId]
        )
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  showingMore: (groupIds, than) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select n.id from unnest(${[...groupIds]}::bigint[]) with ordinality as g(id, place)
          join rm_namespaces.namespaces n on n.id = g.id where n.visibility = any (${[...moreVisibleThan(than)]}::text[]) order by g.place`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  levelsBelow: (groupId) =>
    Effect.map(
      query(() =>
        client.unsafe<Array<{ levels: number }>>(
          `select max(nearest) as levels from (select min(depth) as nearest from (${descendants("$1::bigint")}) d group by id) d`,
          [groupId]
        )
      ),
      ([row]) => row?.levels ?? 0
    ),
  membershipsIn: (groupIds, userId) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select group_id as id from rm_namespaces.group_members
          where group_id = any(${[...groupIds]}::bigint[]) and user_id = ${userId} order by group_id`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  shares: sharesOfGroups(lookups),
  members: membersOf(client)
})

const directMembersAmong =
  (client: Client): Groups["Service"]["directMembersAmong"] =>
  (userIds, groupIds) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select distinct m.user_id as id from rm_namespaces.group_members m
          where m.group_id = any(${[...groupIds]}::bigint[]) and m.user_id = any(${[...userIds]}::bigint[])
            and ${client.unsafe(isCurrent("m"))}`
      ),
      (rows) => rows.map(({ id }) => id)
    )

const sharingText = `${withAncestors("$1", ["id", "prevent_sharing_groups_outside_hierarchy", "share_with_group_lock"])}
  select array_agg(id order by distance) as path, bool_or(share_with_group_lock) as "areProjectsLocked",
    bool_or(parent_id is null and prevent_sharing_groups_outside_hierarchy) as "isOnlyWithin" from _up`

const sharingOf =
  (client: Client): Groups["Service"]["sharing"] =>
  (namespaceId) =>
    Effect.map(
      query(() => client.unsafe<Array<{ [Name in keyof SharingRules]: SharingRules[Name] | null }>>(sharingText, [namespaceId])),
      ([row]) => ({
        path: row?.path ?? [],
        isOnlyWithin: row?.isOnlyWithin === true,
        areProjectsLocked: row?.areProjectsLocked === true
      })
    )

/** Answers for groups and namespaces from the read model `namespaces`. */
export const namespaceQueries: Layer.Layer<Groups | GroupQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const database = yield* Sql
    const { client, lookups } = database
    const queries = queriesOf(database)
    const groups = Groups.of({
      find: findNamespace(lookups),
      directMembersAmong: directMembersAmong(client),
      relatedToProject: (relation, viewer, conditions, slice) => queries.list(relatedGroups(relation, viewer, conditions), slice),
      sharing: sharingOf(client)
    })
    return Context.make(Groups, groups).pipe(Context.add(GroupQueries, queries))
  })
)
