import type { FeatureAccess, Visibility } from "./settings/settings.ts"

/** Access levels of members. */
export const role = { none: 0, minimal: 5, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

/** Who asks. `role` is the highest access level that they have in the project, 0 for none. */
export interface Asker {
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
}

/** A part of a project that can be switched off or kept to members. */
export type Feature = { [K in keyof Guarded]: K extends `${infer F}_access_level` ? F : never }[keyof Guarded]

interface Rule {
  /** Least role of a member. */
  readonly least: number
  /** Who may read the project may do it without being a member, or as a member of less. */
  readonly readers?: "anyone" | "signedIn"
  readonly features?: ReadonlyArray<Feature>
  /** Nobody may do it in an archived project. */
  readonly isWrite?: true
}

const { guest, reporter, developer, maintainer, owner } = role

/** Who may do what. Administrators may do everything but what the project itself forbids: switched off, or archived. */
const rules = {
  read_project: { least: guest, readers: "anyone" },
  read_members: { least: guest, readers: "signedIn" },
  read_code: { least: reporter, readers: "anyone", features: ["repository"] },
  fork_project: { least: reporter, readers: "signedIn", features: ["repository", "forking"] },
  push_code: { least: developer, features: ["repository"], isWrite: true },
  create_branch: { least: developer, features: ["repository"], isWrite: true },
  delete_branch: { least: developer, features: ["repository"], isWrite: true },
  create_tag: { least: developer, features: ["repository"], isWrite: true },
  delete_tag: { least: developer, features: ["repository"], isWrite: true },
  read_issues: { least: guest, readers: "anyone", features: ["issues"] },
  create_issue: { least: guest, readers: "signedIn", features: ["issues"], isWrite: true },
  update_issue: { least: reporter, features: ["issues"], isWrite: true },
  read_merge_requests: { least: reporter, readers: "anyone", features: ["merge_requests"] },
  create_merge_request_in: { least: reporter, readers: "signedIn", features: ["repository", "merge_requests"], isWrite: true },
  create_merge_request_from: { least: developer, features: ["repository", "merge_requests"], isWrite: true },
  update_merge_request: { least: developer, features: ["merge_requests"], isWrite: true },
  approve_merge_request: { least: developer, features: ["merge_requests"], isWrite: true },
  create_note: { least: guest, readers: "signedIn", isWrite: true },
  read_labels: { least: guest, readers: "anyone" },
  manage_labels: { least: reporter, isWrite: true },
  manage_milestones: { least: reporter, isWrite: true },
  read_pipelines: { least: guest, readers: "anyone", features: ["builds", "repository"] },
  create_pipeline: { least: developer, features: ["builds", "repository"], isWrite: true },
  create_pipeline_schedule: { least: developer, features: ["builds", "repository"], isWrite: true },
  manage_pipeline_schedules: { least: maintainer, features: ["builds", "repository"], isWrite: true },
  create_commit_status: { least: developer, features: ["repository"], isWrite: true },
  read_statistics: { least: reporter },
  admin_project: { least: maintainer },
  manage_members: { least: maintainer },
  manage_deploy_keys: { least: maintainer },
  manage_protected_refs: { least: maintainer },
  manage_owners: { least: owner },
  rename_project: { least: owner },
  change_visibility: { least: owner },
  archive_project: { least: owner },
  transfer_project: { least: owner },
  remove_project: { least: owner }
} as const satisfies Readonly<Record<string, Rule>>

export type Ability = keyof typeof rules
export const abilities = Object.keys(rules) as ReadonlyArray<Ability>

const isMember = (who: Asker): boolean => who.role >= guest

const mayRead = (who: Asker, { visibility }: Guarded): boolean => {
  if (who.isAdministrator || isMember(who) || visibility === "public") return true
  return visibility === "internal" && who.isSignedIn && !who.isExternal
}

/** Whether a part of a project is there for somebody who may read the project. */
export const hasFeature = (feature: Feature, who: Asker, project: Guarded): boolean => {
  switch (project[`${feature}_access_level`]) {
    case "disabled":
      return false
    case "private":
      return who.isAdministrator || isMember(who)
    case "enabled":
      return true
  }
}

/** In private projects everybody else is no reader, and members need their role. */
const mayAsReader = ({ readers }: Rule, who: Asker, { visibility }: Guarded): boolean =>
  readers !== undefined && visibility !== "private" && (readers === "anyone" || who.isSignedIn)

/** Whether somebody may do something in a project. */
export const can = (ability: Ability, who: Asker, project: Guarded): boolean => {
  const rule: Rule = rules[ability]
  if (!mayRead(who, project) || (rule.isWrite === true && project.archived)) return false
  if (!(rule.features ?? []).every((feature) => hasFeature(feature, who, project))) return false
  return who.isAdministrator || who.role >= rule.least || mayAsReader(rule, who, project)
}
