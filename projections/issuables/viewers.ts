import { reachedGroups, reachedProjects } from "#projections/namespaces/access.ts"
import { descendants } from "#projections/namespaces/expressions.ts"
import type { Viewer } from "#src/issuables/Viewer.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"

// What a viewer sees of lists over many projects. The statements have the project as `p`.

const user = "(select viewer from asked)"

/** The namespaces and projects in which the viewer has a role, with a row for each way to it. */
const roles = raw(`, ${reachedGroups(user)},
  mine as (
    select id, level from _reached union all select n.id, ${accessLevel.owner} from rm_namespaces.namespaces n where n.owner_id = ${user}
  ),
  joined as (${reachedProjects(user)})`)

/** Where a list looks: in the projects that the viewer sees, and in those of a group. */
interface Scope {
  readonly viewer?: Viewer | undefined
  readonly groupId?: number | undefined
}

/** Whether what the viewer sees depends on roles. */
const hasRoles = (viewer: Viewer | undefined): boolean =>
  viewer !== undefined && viewer.userId !== undefined && !viewer.isAdministrator

/** The common tables that the conditions need: they begin the statement. */
export const viewerTables = ({ groupId, viewer }: Scope): Fragment => sql`
  with recursive asked(viewer, namespace_id) as (
    select ${viewer?.userId ?? null}::bigint, ${groupId ?? null}::bigint
  ) ${hasRoles(viewer) ? roles : none}`

/** The project lies in the group, or in one below it. */
export const isInGroup = raw(`p.namespace_id in (select id from (${descendants("(select namespace_id from asked)")}) _d)`)

/** A viewer who has an account, and is no administrator, has at least this role in the project. */
export const hasRole = (minRole: number): Fragment =>
  any(
    raw(`p.namespace_id in (select id from mine where level >= ${minRole})`),
    raw(`p.id in (select project_id from joined where level >= ${minRole})`)
  )

type Feature = "issues" | "merge_requests" | "releases" | "repository"

interface Rule {
  readonly features: ReadonlyArray<Feature>
  /** Administrators see it also where this part is switched off. */
  readonly administratorsKeep?: Feature
  /** The least role of members who see it where it is not open to everybody. */
  readonly minRole: number
}

const areOn = (features: ReadonlyArray<Feature>): Fragment =>
  all(...features.map((feature) => raw(`p.${feature}_access_level <> 'disabled'`)))

/** Things are seen where project and features are open, and by members from a role on where these are not switched off. */
export const isSeen = (
  { isAdministrator, isExternal, userId }: Viewer,
  { administratorsKeep, features, minRole }: Rule
): Fragment => {
  if (isAdministrator) return areOn(features.filter((feature) => feature !== administratorsKeep))
  const visibilities = raw(
    userId === undefined || isExternal ? "p.visibility = 'public'" : "p.visibility in ('public', 'internal')"
  )
  const isOpen = all(visibilities, raw(features.map((feature) => `p.${feature}_access_level = 'enabled'`).join(" and ")))
  return all(areOn(features), userId === undefined ? isOpen : any(isOpen, hasRole(minRole)))
}
