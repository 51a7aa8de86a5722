import { isOpenTo, type Visibility } from "../kernel/visibility.ts"
import { accessLevel } from "../members/levels.ts"
import type { FeatureAccess, PagesAccess } from "./settings/settings.ts"

/** The caller as access rules see them. `role` is their highest access level in the project, 0 for none. */
export interface Principal {
  readonly role: number
  readonly isAdministrator: boolean
  readonly isSignedIn: boolean
  /** External users see internal projects only as members. */
  readonly isExternal: boolean
}

/** What abilities depend on, as the read model has it. */
export interface Guarded {
  readonly visibility: Visibility
  readonly archived: boolean
  readonly repository_access_level: FeatureAccess
  readonly issues_access_level: FeatureAccess
  readonly merge_requests_access_level: FeatureAccess
  readonly forking_access_level: FeatureAccess
  readonly wiki_access_level: FeatureAccess
  readonly builds_access_level: FeatureAccess
  readonly snippets_access_level: FeatureAccess
  readonly container_registry_access_level: FeatureAccess
  readonly environments_access_level: FeatureAccess
  readonly releases_access_level: FeatureAccess
  readonly pages_access_level: typeof PagesAccess.Type
  /** Whether pipelines are shown to those below Reporter. */
  readonly public_jobs: boolean
}

/** A part of a project that can be switched off or kept to members. */
export type Feature = { [K in keyof Guarded]: K extends `${infer F}_access_level` ? F : never }[keyof Guarded]

/** The fields that tell who has each feature: to put a name together for each question takes longer than to answer it. */
const accessLevelOf = {
  repository: "repository_access_level",
  issues: "issues_access_level",
  merge_requests: "merge_requests_access_level",
  forking: "forking_access_level",
  wiki: "wiki_access_level",
  builds: "builds_access_level",
  snippets: "snippets_access_level",
  container_registry: "container_registry_access_level",
  environments: "environments_access_level",
  releases: "releases_access_level",
  pages: "pages_access_level"
} as const satisfies { readonly [F in Feature]: `${F}_access_level` }

interface Rule {
  /** Least role of a member. */
  readonly minRole: number
  /** Users who may read the project may do it without this role. */
  readonly readers?: "anyone" | "signedIn"
  readonly features?: ReadonlyArray<Feature>
  /** One of these parts suffices. */
  readonly anyFeature?: ReadonlyArray<Feature>
  /** Administrators have it also where this part is switched off. */
  readonly administratorsKeep?: Feature
  /** Where this part is kept to members, so is the ability; it stays where the part is switched off. */
  readonly sharesMembersOf?: Feature
  /** Where one of the features is kept to members, they need the role all the same. */
  readonly isOfRolesWhereKept?: true
  /** Those below Reporter may do it only where pipelines are public. */
  readonly isOfPipelines?: true
  /** Nobody may do it in an archived project. */
  readonly isWrite?: true
}

const { guest, reporter, developer, maintainer, owner } = accessLevel

/** What has labels and milestones. */
const labeled = ["issues", "merge_requests"] as const

/**
 * The rules of abilities. Administrators may do everything except in features that are switched off, merge requests apart, and writes in
 * archived projects.
 */
const rules = {
  read_project: { minRole: guest, readers: "anyone" },
  read_members: { minRole: guest, readers: "signedIn" },
  read_code: { minRole: reporter, readers: "anyone", features: ["repository"] },
  fork_project: { minRole: reporter, readers: "signedIn", features: ["repository", "forking"] },
  push_code: { minRole: developer, features: ["repository"], isWrite: true },
  create_branch: { minRole: developer, features: ["repository"], isWrite: true },
  delete_branch: { minRole: developer, features: ["repository"], isWrite: true },
  create_tag: { minRole: developer, features: ["repository"], isWrite: true },
  delete_tag: { minRole: developer, features: ["repository"], isWrite: true },
  read_issues: { minRole: guest, readers: "anyone", features: ["issues"] },
  read_confidential_issues: { minRole: reporter, features: ["issues"] },
  create_issue: { minRole: guest, readers: "signedIn", features: ["issues"], isWrite: true },
  update_issue: { minRole: reporter, features: ["issues"], isWrite: true },
  remove_issue: { minRole: owner, features: ["issues"], isWrite: true },
  read_merge_requests: {
    minRole: reporter,
    readers: "anyone",
    features: ["merge_requests", "repository"],
    administratorsKeep: "merge_requests",
    isOfRolesWhereKept: true
  },
  create_merge_request_in: {
    minRole: reporter,
    readers: "signedIn",
    features: ["repository", "merge_requests"],
    administratorsKeep: "merge_requests",
    isWrite: true
  },
  create_merge_request_from: {
    minRole: developer,
    features: ["repository", "merge_requests"],
    administratorsKeep: "merge_requests",
    isWrite: true
  },
  update_merge_request: { minRole: developer, features: ["merge_requests"], administratorsKeep: "merge_requests", isWrite: true },
  remove_merge_request: { minRole: owner, features: ["merge_requests"], administratorsKeep: "merge_requests", isWrite: true },
  approve_merge_request: {
    minRole: developer,
    features: ["merge_requests"],
    administratorsKeep: "merge_requests",
    isWrite: true
  },
  create_note: { minRole: guest, readers: "signedIn", isWrite: true },
  read_internal_notes: { minRole: reporter },
  resolve_notes: { minRole: developer, isWrite: true },
  manage_notes: { minRole: maintainer, isWrite: true },
  backdate_notes: { minRole: owner, isWrite: true },
  read_labels: { minRole: guest, readers: "anyone", anyFeature: labeled },
  manage_labels: { minRole: reporter, anyFeature: labeled, isWrite: true },
  read_milestones: { minRole: guest, readers: "anyone", anyFeature: labeled },
  manage_milestones: { minRole: reporter, anyFeature: labeled, isWrite: true },
  read_pipelines: {
    minRole: guest,
    readers: "anyone",
    features: ["repository"],
    sharesMembersOf: "builds",
    isOfPipelines: true
  },
  update_pipeline: { minRole: developer, features: ["repository"], sharesMembersOf: "builds", isWrite: true },
  delete_pipeline: { minRole: owner, features: ["repository"], sharesMembersOf: "builds", isWrite: true },
  create_pipeline: { minRole: developer, features: ["repository"], sharesMembersOf: "builds", isWrite: true },
  read_jobs: { minRole: guest, readers: "anyone", features: ["builds", "repository"], isOfPipelines: true },
  update_jobs: { minRole: developer, features: ["builds", "repository"], isWrite: true },
  read_pipeline_schedules: { minRole: guest, readers: "signedIn", features: ["builds", "repository"], isOfPipelines: true },
  run_jobs: { minRole: maintainer, features: ["builds", "repository"], isWrite: true },
  create_pipeline_schedule: { minRole: developer, features: ["builds", "repository"], isWrite: true },
  manage_pipeline_schedules: { minRole: maintainer, features: ["builds", "repository"], isWrite: true },
  read_variables_of_schedules: { minRole: maintainer, features: ["builds", "repository"] },
  read_variables_of_own_schedules: { minRole: developer, features: ["builds", "repository"] },
  read_commit_statuses: { minRole: guest, readers: "anyone", features: ["repository"], sharesMembersOf: "builds" },
  create_commit_status: { minRole: developer, features: ["repository"], isWrite: true },
  read_environments: { minRole: reporter, readers: "anyone", features: ["environments", "repository"] },
  create_deployment: { minRole: developer, features: ["environments", "repository"], isWrite: true },
  read_releases: { minRole: guest, readers: "anyone", features: ["releases"] },
  manage_releases: { minRole: developer, features: ["releases", "repository"], isWrite: true },
  read_pages_content: { minRole: guest, readers: "anyone", features: ["pages"] },
  read_pages: { minRole: maintainer, features: ["pages"] },
  update_pages: { minRole: maintainer, features: ["pages"] },
  remove_pages: { minRole: maintainer },
  deploy_pages: { minRole: maintainer, features: ["pages"], isWrite: true },
  upload_file: { minRole: guest, readers: "signedIn", isWrite: true },
  read_uploads: { minRole: maintainer },
  remove_uploads: { minRole: maintainer, isWrite: true },
  read_statistics: { minRole: reporter },
  admin_project: { minRole: maintainer },
  manage_members: { minRole: maintainer },
  manage_deploy_keys: { minRole: maintainer },
  manage_protected_refs: { minRole: maintainer },
  manage_owners: { minRole: owner },
  rename_project: { minRole: owner },
  change_visibility: { minRole: owner },
  limit_variables_to_owners: { minRole: owner },
  archive_project: { minRole: owner },
  transfer_project: { minRole: owner },
  remove_project: { minRole: owner }
} as const satisfies Readonly<Record<string, Rule>>

export type Ability = keyof typeof rules
export const abilities = Object.keys(rules) as ReadonlyArray<Ability>

const isMember = (principal: Principal): boolean => principal.role >= guest

const mayRead = (principal: Principal, { visibility }: Guarded): boolean =>
  principal.isAdministrator || isMember(principal) || isOpenTo(visibility, principal)

/** Whether a part of a project is there for somebody who may read the project. */
export const hasFeature = (feature: Feature, principal: Principal, project: Guarded): boolean => {
  switch (project[accessLevelOf[feature]]) {
    case "disabled":
      return false
    case "private":
      return principal.isAdministrator || isMember(principal)
    case "enabled":
    case "public":
      return true
  }
}

/** Whether a part of a project is there, but not for somebody who may read the project. */
const isKeptFrom = (principal: Principal, feature: Feature, project: Guarded): boolean =>
  project[accessLevelOf[feature]] !== "disabled" && !hasFeature(feature, principal, project)

/** Whether a rule allows an ability to those who can read the project without a role in it, which nobody can in a private one. */
const mayAsReader = ({ readers }: Rule, principal: Principal, { visibility }: Guarded): boolean =>
  readers !== undefined && visibility !== "private" && (readers === "anyone" || principal.isSignedIn)

/** Which roles may give pipelines variables. */
interface VariableRule {
  readonly restrict_user_defined_variables: boolean
  readonly ci_pipeline_variables_minimum_override_role: "no_one_allowed" | "developer" | "maintainer" | "owner"
}

/** Whether somebody may give variables to the pipelines that they may make, and to their schedules. */
export const mayGiveVariables = (
  principal: Principal,
  { ci_pipeline_variables_minimum_override_role: least, restrict_user_defined_variables: isRestricted }: VariableRule
): boolean => {
  const minRole = isRestricted ? { no_one_allowed: Number.POSITIVE_INFINITY, developer, maintainer, owner }[least] : developer
  return principal.role >= minRole || (principal.isAdministrator && Number.isFinite(minRole))
}

/** Whether one of the features of a rule is kept to members. */
const isKept = ({ features = [] }: Rule, project: Guarded): boolean =>
  features.some((feature) => project[accessLevelOf[feature]] === "private")

/** Whether somebody may do something in a project. */
export const can = (ability: Ability, principal: Principal, project: Guarded): boolean => {
  const rule: Rule = rules[ability]
  if (!mayRead(principal, project) || (rule.isWrite === true && project.archived)) return false
  const has = (feature: Feature) =>
    hasFeature(feature, principal, project) || (principal.isAdministrator && feature === rule.administratorsKeep)
  if (!(rule.features ?? []).every(has) || rule.anyFeature?.some(has) === false) return false
  if (rule.sharesMembersOf !== undefined && isKeptFrom(principal, rule.sharesMembersOf, project)) return false
  if (rule.isOfPipelines === true && !project.public_jobs) return principal.isAdministrator || principal.role >= reporter
  if (rule.isOfRolesWhereKept === true && isKept(rule, project))
    return principal.isAdministrator || principal.role >= rule.minRole
  return principal.isAdministrator || principal.role >= rule.minRole || mayAsReader(rule, principal, project)
}
