import { accessLevel } from "#src/members/levels.ts"
import { maxLevels, withAncestors } from "./expressions.ts"

/**
 * Texts of SQL about who may do what in namespaces and projects. Arguments are SQL expressions that are trusted, such as columns
 * and parameters, never values: each text stays prepared on the server as long as its connection. Names that the texts define begin
 * with an underscore, so arguments must not.
 *
 * Postgres takes recursive tables for far too large. So a `limit 1` beside a key keeps a lookup by index, where it would read the
 * whole table otherwise; and a `group by`, which it takes for 200 rows, lets it join and look up by index or hash.
 */

/** Today, `YYYY-MM-DD`, UTC. */
const today = "to_char(now() at time zone 'UTC', 'YYYY-MM-DD')"

/** The condition that a membership or share, a row of the table with this alias, has not ended. */
export const isCurrent = (alias: string): string => `(${alias}.expires_at is null or ${alias}.expires_at > ${today})`

interface Place {
  readonly namespace: string
  /** The project in the namespace that is meant; absent for the namespace itself. */
  readonly project?: string
}

const invitedTo = (shares: string): string => `
  select invited.id, invited.parent_id, null::bigint, invited.path, invited.name, 0, share.access_level, share.expires_at
  from ${shares} share join rm_namespaces.namespaces invited on invited.id = share.invited_group_id`

/**
 * Where members of a place come from, as the common table `_up`; begins a statement. The namespace and its ancestors, with their
 * distance and without `cap`; and the groups invited to the place, or to what is above it, with their ancestors: their members
 * have at most `cap`, until `ends`. Invitations are not passed on.
 */
const sources = ({ namespace, project }: Place, isWanted = "true"): string => `
  with recursive _up(id, parent_id, owner_id, path, name, distance, cap, ends) as (
    (
      select _n.id, _n.parent_id, _n.owner_id, _n.path, _n.name, 0, null::integer, null::text
      from rm_namespaces.namespaces _n where _n.id = ${namespace}
      ${
        project === undefined
          ? ""
          : `union all ${invitedTo("rm_projects.project_shares")}
      where share.project_id = ${project} and ${isWanted} and ${isCurrent("share")}`
      }
    )
    union all
    select _next.* from _up cross join lateral (
      select _p.id, _p.parent_id, _p.owner_id, _p.path, _p.name, _up.distance + 1, _up.cap, _up.ends
      from rm_namespaces.namespaces _p where _p.id = _up.parent_id
      union all ${invitedTo("rm_namespaces.group_shares")}
      where share.group_id = _up.id and _up.cap is null and ${isWanted} and ${isCurrent("share")}
    ) _next where _up.distance < ${maxLevels}
  )`

/**
 * What a user (bigint, may be null) finds in a place: a select statement of one row with `full_path` and `full_name` of the
 * namespace (null for none); `role`, the highest access level there, 50 for the owner of a personal namespace and 0 for none;
 * `inherited_role`, the same without shares. The project's own members are not counted.
 */
export const roleInPlace = (user: string, place: Place): string => `${sources(place, `${user} is not null`)}
  select string_agg(_up.path, '/' order by _up.distance desc) filter (where _up.cap is null) as full_path,
    string_agg(_up.name, ' / ' order by _up.distance desc) filter (where _up.cap is null) as full_name,
    coalesce(max(least(_up.cap, coalesce(_m.access_level, _up.owned))), 0) as role,
    coalesce(max(coalesce(_m.access_level, _up.owned)) filter (where _up.cap is null), 0) as inherited_role
  from (select *, case when owner_id = ${user} then ${accessLevel.owner} else 0 end as owned from _up) _up
  left join lateral (
    select _g.access_level from rm_namespaces.group_members _g
    where _g.group_id = _up.id and _g.user_id = ${user} and ${isCurrent("_g")} limit 1
  ) _m on true`

/** The `role` of `roleInPlace` in a namespace, an expression. */
export const namespaceRole = (user: string, namespace: string): string =>
  `(select _standing.role from (${roleInPlace(user, { namespace })}) _standing)`

/**
 * The current memberships in the namespace and in its ancestors: a select statement with the columns of `group_members`,
 * `group_name`, and `distance`, 0 for the namespace itself.
 */
export const memberships = (namespace: string): string => `${withAncestors(namespace, ["id", "name"])}
  select _m.*, _up.name as group_name, _up.distance from _up
  join rm_namespaces.group_members _m on _m.group_id = _up.id and ${isCurrent("_m")}`

/** Whoever reads members, as expressions. */
export interface MemberReader {
  /** The id of the user, a bigint. */
  readonly user: string
  readonly isAdministrator: string
  readonly isExternal: string
}

/** What a group or project is open to by its visibility, without membership: everybody, or also all users but external ones. */
export type Audience = "everybody" | "users"

/** Whether something of this visibility is open to the audience, an expression. */
export const isOpen = (visibility: string, audience: Audience): string =>
  audience === "everybody" ? `${visibility} = 'public'` : `${visibility} in ('internal', 'public')`

const isOpenTo = ({ isAdministrator, isExternal }: MemberReader, visibility: string): string =>
  `${isAdministrator} or ${isOpen(visibility, "everybody")} or (not ${isExternal} and ${isOpen(visibility, "users")})`

/** Whether a reader may see the group that `share` of `sources` invites, an expression. */
const seesInvited = (reader: MemberReader): string => `(
  ${isOpenTo(reader, "invited.visibility")} or ${namespaceRole(reader.user, "share.invited_group_id")} > 0
  or ${leadsToMembership(reader.user, "share.invited_group_id")})`

/**
 * Whether a reader may know who added the members of `place`, a row of `_up`, an expression. Of a hidden group that is invited only its
 * members may.
 */
const seesCreators = (reader: MemberReader): string => `(
  place.cap is null or ${isOpenTo(reader, "(select _n.visibility from rm_namespaces.namespaces _n where _n.id = place.id limit 1)")}
  or ${namespaceRole(reader.user, "place.id")} > 0)`

/**
 * The current memberships from wherever a place has them, shares included: a select statement with `user_id`, `access_level`,
 * `created_at`, `updated_at`, `expires_at`, `created_by`, `hides_creator`, and `distance`. A user has one for each way. The project's
 * own members are not among them. With a reader, neither are those of invited groups that the reader may not see.
 */
export const allMemberships = (place: Place, reader?: MemberReader): string => `
  ${sources(place, reader && seesInvited(reader))}
  select _m.user_id, least(_up.cap, _m.access_level) as access_level, _m.created_at, _m.updated_at,
    least(_m.expires_at, _up.ends) as expires_at, _m.created_by, _up.hides_creator, _up.distance
  from (select place.*, ${reader === undefined ? "false" : `not ${seesCreators(reader)}`} as hides_creator from _up place offset 0) _up
  join rm_namespaces.group_members _m on _m.group_id = _up.id and ${isCurrent("_m")}`

/** The groups of which a user is a member, by themselves or from above: the common table `_own`, for `with recursive`. */
const ownGroups = (user: string): string => `
  _own(id, level, is_start) as (
    select _m.group_id, _m.access_level, true from rm_namespaces.group_members _m
    where _m.user_id = ${user} and ${isCurrent("_m")}
    union
    select _n.id, _own.level, false from _own join rm_namespaces.namespaces _n on _n.parent_id = _own.id
  )`

/** What is shared with the groups of `_own`: the columns of a table of shares that are asked for, and `level`. */
const sharedWithOwn = (shares: string, column: string): string => `
  select _s.${column}, least(_s.access_level, _o.level) as level
  from (select id, max(level) as level from _own group by id) _o
  join ${shares} _s on _s.invited_group_id = _o.id where ${isCurrent("_s")}`

const sharedGroups = sharedWithOwn("rm_namespaces.group_shares", "group_id")

/**
 * The groups in which a user (bigint, may be null) has a role: the common table `_reached(id, level, is_start)`, for
 * `with recursive`. A group has a row for each way to it, which is `is_start` where it is not by inheritance.
 */
export const reachedGroups = (user: string): string => `${ownGroups(user)},
  _lent(id, level, is_start) as (
    select group_id, level, true from (${sharedGroups}) _g
    union
    select _n.id, _lent.level, false from _lent join rm_namespaces.namespaces _n on _n.parent_id = _lent.id
  ),
  _reached(id, level, is_start) as (select * from _own union all select * from _lent)`

/**
 * The projects that a user is a member of by themselves or because a group is invited: a select statement with `project_id` and
 * `level`, one row for each way. Needs `reachedGroups`.
 */
export const reachedProjects = (user: string): string => `
  select _m.project_id, _m.access_level as level from rm_projects.project_members _m
  where _m.user_id = ${user} and ${isCurrent("_m")}
  union all ${sharedWithOwn("rm_projects.project_shares", "project_id")}`

const parentOf = (namespace: string): string =>
  `(select _n.parent_id from rm_namespaces.namespaces _n where _n.id = ${namespace} limit 1)`

/**
 * The groups above those that a user reaches, and around the projects: the common table `_leading(id)`, for `with recursive`;
 * null is among them. Needs `reachedGroups`.
 */
export const leadingGroups = (user: string): string => `
  _leading(id) as (
    select ${parentOf("_reached.id")} from _reached where _reached.is_start
    union
    select (select _j.namespace_id from rm_projects.projects _j where _j.id = _r.project_id limit 1)
    from (${reachedProjects(user)}) _r
    union
    select ${parentOf("_leading.id")} from _leading where _leading.id is not null
  )`

/** Whether the user (bigint, may be null) has a role in a group or project below the namespace, an expression. */
export const leadsToMembership = (user: string, namespace: string): string => `exists (
  with recursive ${ownGroups(user)},
  _reached(id, level, is_start) as (select * from _own union all select group_id, level, true from (${sharedGroups}) _g),
  ${leadingGroups(user)}
  select from _leading where _leading.id = ${namespace})`
