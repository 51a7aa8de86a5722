import { visibilities } from "#src/kernel/visibility.ts"

/**
 * Texts of SQL expressions about namespaces. Arguments are SQL expressions that are trusted, such as columns and parameters;
 * names that the expressions define begin with an underscore, so arguments must not.
 */

/**
 * Levels up or down that are followed. Groups are nested half as deep at most; but where two transfers at once should ever make a
 * ring of groups, questions about it have to end.
 */
export const maxLevels = 40

/**
 * The namespace and its ancestors, as the common table `_up` with these of their columns, `parent_id` and their `distance`; begins a
 * statement.
 */
export const withAncestors = (namespace: string, columns: ReadonlyArray<string>): string => {
  const selected = [...columns, "parent_id"].map((column) => `_n.${column}`).join(", ")
  return `
  with recursive _up as (
    select ${selected}, 0 as distance from rm_namespaces.namespaces _n where _n.id = ${namespace}
    union all
    select ${selected}, _up.distance + 1
    from _up join rm_namespaces.namespaces _n on _n.id = _up.parent_id where _up.distance < ${maxLevels}
  )`
}

/**
 * The namespace and those below it: a select statement with `id`, and `depth` from 0. What lies in a ring has several rows.
 */
export const descendants = (namespace: string): string => `
  with recursive _below(id, depth) as (
    select ${namespace}, 0
    union all
    select _n.id, _below.depth + 1
    from _below join rm_namespaces.namespaces _n on _n.parent_id = _below.id where _below.depth < ${maxLevels}
  )
  select id, depth from _below`

const titles = (namespace: string): string => withAncestors(namespace, ["path", "name"])

/** The rank that orders visibilities: the more visible, the higher. */
export const visibilityRank = (column: string): string =>
  `array_position(array[${visibilities.map((each) => `'${each}'`).join(", ")}], ${column})`

/** The full path, `a/b`; null for no namespace. */
export const namespacePath = (namespace: string): string =>
  `(${titles(namespace)} select string_agg(_up.path, '/' order by _up.distance desc) from _up)`

/** The full name, `A / B`; null for no namespace. */
export const namespaceName = (namespace: string): string =>
  `(${titles(namespace)} select string_agg(_up.name, ' / ' order by _up.distance desc) from _up)`

/** The full path and the full name at once: a select statement with the columns `full_path` and `full_name`. */
export const namespaceTitles = (namespace: string): string => `${titles(namespace)}
  select string_agg(_up.path, '/' order by _up.distance desc) as full_path,
    string_agg(_up.name, ' / ' order by _up.distance desc) as full_name from _up`

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
