/**
 * Texts of SQL expressions about namespaces. Arguments are SQL expressions that are trusted, such as columns and parameters;
 * names that the expressions define begin with an underscore, so arguments must not.
 */

/** The rows of the namespace and of its ancestors, as the common table `_up` with their distance; begins a statement. */
const upwards = (namespace: string, condition: string): string => `
  with recursive _up(id, parent_id, owner_id, path, name, distance) as (
    select _n.id, _n.parent_id, _n.owner_id, _n.path, _n.name, 0 from rm_namespaces.namespaces _n
    where _n.id = ${namespace}${condition}
    union all
    select _p.id, _p.parent_id, _p.owner_id, _p.path, _p.name, _up.distance + 1
    from _up join rm_namespaces.namespaces _p on _p.id = _up.parent_id
  )`

/** Today, `YYYY-MM-DD`, UTC. */
const today = "to_char(now() at time zone 'UTC', 'YYYY-MM-DD')"

/** The condition that a membership, a row of the table with this alias, has not ended. */
export const isCurrent = (alias: string): string => `(${alias}.expires_at is null or ${alias}.expires_at > ${today})`

/**
 * The highest access level (integer, 0 for none) that the user (bigint, may be null) has in the namespace or one of its
 * ancestors; 50 for the owner of a personal namespace. Memberships that have ended do not count.
 */
export const namespaceRole = (user: string, namespace: string): string => `(${upwards(namespace, ` and ${user} is not null`)}
  select coalesce(max(greatest(_m.access_level, case when _up.owner_id = ${user} then 50 else 0 end)), 0)
  from _up left join rm_namespaces.group_members _m
    on _m.group_id = _up.id and _m.user_id = ${user} and ${isCurrent("_m")})`

/** The full path, `a/b`; null for no namespace. */
export const namespacePath = (namespace: string): string =>
  `(${upwards(namespace, "")} select string_agg(_up.path, '/' order by _up.distance desc) from _up)`

/** The full name, `A / B`; null for no namespace. */
export const namespaceName = (namespace: string): string =>
  `(${upwards(namespace, "")} select string_agg(_up.name, ' / ' order by _up.distance desc) from _up)`

/**
 * The id of the namespace with a full path (text, in any case); null for none. What has a path comes before what had it. For
 * a namespace that was found by a former path, `namespacePath` tells another one.
 */
export const namespaceByPath = (path: string): string => `(
  with recursive _parts as (select string_to_array(lower(${path}), '/') as parts),
  _down(id, depth) as (
    select 0::bigint, 0
    union all
    select _child.id, _down.depth + 1
    from _down cross join _parts cross join lateral (
      select _found.id from (
        select _n.id, 0 as preference from rm_namespaces.namespaces _n
        where coalesce(_n.parent_id, 0) = _down.id and lower(_n.path) = _parts.parts[_down.depth + 1] and _n.id is not null
        union all
        select _n.id, 1 from rm_namespaces.redirects _r
        join rm_namespaces.namespaces _n on _n.kind = _r.kind and _n.subject_id = _r.subject_id
        where _r.parent_id = _down.id and _r.path = _parts.parts[_down.depth + 1] and _n.id is not null
      ) _found order by _found.preference limit 1
    ) _child
    where _down.depth < cardinality(_parts.parts)
  )
  select _down.id from _down cross join _parts where _down.depth = cardinality(_parts.parts) and _down.depth > 0)`

/**
 * The current memberships in the namespace and in its ancestors: a select statement with the columns of `group_members`,
 * `group_name`, and `distance`, 0 for the namespace itself.
 */
export const memberships = (namespace: string): string => `${upwards(namespace, "")}
  select _m.*, _up.name as group_name, _up.distance from _up
  join rm_namespaces.group_members _m on _m.group_id = _up.id and ${isCurrent("_m")}`

/** The namespaces of projects of which the user is a member: a select statement. */
export const namespacesOfProjects = (user: string): string => `
  select _j.namespace_id from rm_projects.project_members _m join rm_projects.projects _j on _j.id = _m.project_id
  where _m.user_id = ${user} and ${isCurrent("_m")}`

/** Whether the user (bigint, may be null) is a member of the namespace, or of a group or project below it. */
export const leadsToMembership = (user: string, namespace: string): string => `exists (
  with recursive _mine(id) as (
    select _m.group_id from rm_namespaces.group_members _m where _m.user_id = ${user} and ${isCurrent("_m")}
    union ${namespacesOfProjects(user)}
    union
    select _n.parent_id from _mine join rm_namespaces.namespaces _n on _n.id = _mine.id where _n.parent_id is not null
  )
  select from _mine where _mine.id = ${namespace})`
