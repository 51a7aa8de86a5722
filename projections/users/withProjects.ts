import { accessLevel } from "#src/members/levels.ts"
import { isCurrent } from "../namespaces/access.ts"

/**
 * The users who have a role in any project, a select statement of ids: as its member, as a member of a group around it or of one
 * that is invited, or as the owner of the personal namespace that it lies in.
 */
export const usersWithProjects = `
  with recursive _projects as (
    select _p.id, _p.namespace_id from rm_projects.projects _p join rm_namespaces.namespaces _n on _n.id = _p.namespace_id
  ),
  _around(id, is_invited) as (
    (
      select _p.namespace_id, false from _projects _p
      union
      select _s.invited_group_id, true from rm_projects.project_shares _s join _projects _p on _p.id = _s.project_id
      where ${isCurrent("_s")}
    )
    union
    select _next.* from _around cross join lateral (
      select _n.parent_id, _around.is_invited from rm_namespaces.namespaces _n
      where _n.id = _around.id and _n.parent_id is not null
      union all
      select _s.invited_group_id, true from rm_namespaces.group_shares _s
      where _s.group_id = _around.id and not _around.is_invited and ${isCurrent("_s")}
    ) _next
  )
  select _m.user_id from rm_projects.project_members _m join _projects _p on _p.id = _m.project_id
  where _m.access_level >= ${accessLevel.guest} and ${isCurrent("_m")}
  union
  select _m.user_id from _around join rm_namespaces.group_members _m on _m.group_id = _around.id
  where _m.access_level >= ${accessLevel.guest} and ${isCurrent("_m")}
  union
  select _n.owner_id from _projects _p join rm_namespaces.namespaces _n on _n.id = _p.namespace_id where _n.owner_id is not null`
