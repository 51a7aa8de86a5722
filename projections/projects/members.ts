import { allMemberships, isCurrent, type MemberReader, memberships } from "#projections/namespaces/access.ts"
import { memberQuestions, reader } from "#projections/namespaces/memberQuestions.ts"
import { accessLevel } from "#src/members/levels.ts"
import type { MemberQuestions } from "#src/members/questions.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

const namespace = "(select _j.namespace_id from rm_projects.projects _j where _j.id = $1)"
const direct = `select _d.* from rm_projects.project_members _d where _d.project_id = $1 and ${isCurrent("_d")}`
const inherited = memberships(namespace)

const columns = "user_id, access_level, created_at, updated_at, expires_at, created_by"

/**
 * Memberships that a project has by itself, from above, and by shares: a select statement about project `$1`. With a reader, those of
 * invited groups that the reader may not see are left out.
 */
export const allProjectMemberships = (reader?: MemberReader): string => `
  select ${columns}, false as hides_creator, -1 as distance from (${direct}) _direct
  union all
  select ${columns}, hides_creator, distance from (${allMemberships({ namespace, project: "$1" }, reader)}) _others`

/** Questions about the members of projects. */
export const memberQuestionsOf = (sql: Client): MemberQuestions =>
  memberQuestions(sql, {
    direct,
    inherited,
    // Whoever owns the group of a project stays its owner without being a member of the project, so they count as another one.
    hasInheritedOwner: `(
      exists (select from (${inherited}) _i join rm_users.users _u on _u.id = _i.user_id where _i.access_level = ${accessLevel.owner})
      or exists (select from rm_namespaces.namespaces _o where _o.id = ${namespace} and _o.owner_id <> $2))`,
    all: allProjectMemberships(reader)
  })
