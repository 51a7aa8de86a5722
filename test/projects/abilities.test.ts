import { describe, expect, it } from "vitest"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type Ability, abilities, can, type Guarded, mayGiveVariables, type Principal } from "#src/projects/abilities.ts"
import { defaultSettings, type FeatureAccess } from "#src/projects/settings/settings.ts"
import { everybody, levels, type Somebody } from "#test/support/people/everybody.ts"

const project = (changed: Partial<Guarded> = {}): Guarded => ({
  archived: false,
  ...(snakeCased(defaultSettings("a")) as unknown as Omit<Guarded, "archived">),
  ...changed
})
const askerOf = (somebody: Somebody): Principal => ({
  role: levels[somebody] ?? 0,
  isAdministrator: somebody === "administrator",
  isSignedIn: somebody !== "anonymous",
  isExternal: somebody === "external"
})

/** Who may do it, from least to most. */
const allowed = (ability: Ability, guarded: Guarded): ReadonlyArray<string> =>
  everybody.filter((somebody) => can(ability, askerOf(somebody), guarded))

const from = (least: Somebody): ReadonlyArray<string> => everybody.slice(everybody.indexOf(least))
const everybodySignedIn = from("external")

/** Least member, and who else where the project is public: for each ability. */
const table: Readonly<Record<Ability, readonly [least: Somebody, ofPublic: ReadonlyArray<string>]>> = {
  read_project: ["guest", everybody],
  read_members: ["guest", everybodySignedIn],
  read_code: ["reporter", everybody],
  fork_project: ["reporter", everybodySignedIn],
  push_code: ["developer", from("developer")],
  create_branch: ["developer", from("developer")],
  delete_branch: ["developer", from("developer")],
  create_tag: ["developer", from("developer")],
  delete_tag: ["developer", from("developer")],
  read_issues: ["guest", everybody],
  read_confidential_issues: ["reporter", from("reporter")],
  create_issue: ["guest", everybodySignedIn],
  update_issue: ["reporter", from("reporter")],
  remove_issue: ["owner", from("owner")],
  read_merge_requests: ["reporter", everybody],
  create_merge_request_in: ["reporter", everybodySignedIn],
  create_merge_request_from: ["developer", from("developer")],
  update_merge_request: ["developer", from("developer")],
  remove_merge_request: ["owner", from("owner")],
  approve_merge_request: ["developer", from("developer")],
  create_note: ["guest", everybodySignedIn],
  upload_file: ["guest", everybodySignedIn],
  read_uploads: ["maintainer", from("maintainer")],
  remove_uploads: ["maintainer", from("maintainer")],
  read_internal_notes: ["reporter", from("reporter")],
  resolve_notes: ["developer", from("developer")],
  manage_notes: ["maintainer", from("maintainer")],
  backdate_notes: ["owner", from("owner")],
  read_labels: ["guest", everybody],
  manage_labels: ["reporter", from("reporter")],
  read_milestones: ["guest", everybody],
  manage_milestones: ["reporter", from("reporter")],
  read_pipelines: ["guest", everybody],
  update_pipeline: ["developer", from("developer")],
  delete_pipeline: ["owner", from("owner")],
  create_pipeline: ["developer", from("developer")],
  read_jobs: ["guest", everybody],
  update_jobs: ["developer", from("developer")],
  read_pipeline_schedules: ["guest", everybodySignedIn],
  run_jobs: ["maintainer", from("maintainer")],
  create_pipeline_schedule: ["developer", from("developer")],
  manage_pipeline_schedules: ["maintainer", from("maintainer")],
  read_variables_of_schedules: ["maintainer", from("maintainer")],
  read_variables_of_own_schedules: ["developer", from("developer")],
  read_commit_statuses: ["guest", everybody],
  create_commit_status: ["developer", from("developer")],
  read_environments: ["reporter", everybody],
  create_deployment: ["developer", from("developer")],
  read_releases: ["guest", everybody],
  manage_releases: ["developer", from("developer")],
  read_pages_content: ["guest", from("guest")],
  read_pages: ["maintainer", from("maintainer")],
  update_pages: ["maintainer", from("maintainer")],
  remove_pages: ["maintainer", from("maintainer")],
  deploy_pages: ["maintainer", from("maintainer")],
  read_statistics: ["reporter", from("reporter")],
  admin_project: ["maintainer", from("maintainer")],
  manage_members: ["maintainer", from("maintainer")],
  manage_deploy_keys: ["maintainer", from("maintainer")],
  manage_protected_refs: ["maintainer", from("maintainer")],
  manage_owners: ["owner", from("owner")],
  rename_project: ["owner", from("owner")],
  limit_variables_to_owners: ["owner", from("owner")],
  change_visibility: ["owner", from("owner")],
  archive_project: ["owner", from("owner")],
  transfer_project: ["owner", from("owner")],
  remove_project: ["owner", from("owner")]
}

/** In an internal project neither anonymous nor external callers are readers. */
const readersOfInternal = (ofPublic: ReadonlyArray<string>): ReadonlyArray<string> =>
  ofPublic.filter((name) => name !== "anonymous" && name !== "external")

describe.each(abilities)("%s", (ability) => {
  const [least, ofPublic] = table[ability]

  it("in a private project", () => {
    expect(allowed(ability, project())).toEqual(from(least))
  })

  it("in an internal project", () => {
    expect(allowed(ability, project({ visibility: "internal" }))).toEqual(readersOfInternal(ofPublic))
  })

  it("in a public project", () => {
    expect(allowed(ability, project({ visibility: "public" }))).toEqual(ofPublic)
  })
})

describe("features", () => {
  it.each([
    ["repository", ["read_code", "push_code", "create_branch", "fork_project", "read_commit_statuses", "create_commit_status"]],
    ["forking", ["fork_project"]],
    ["issues", ["read_issues", "create_issue", "update_issue", "remove_issue"]],
    ["builds", ["read_jobs", "update_jobs", "read_pipeline_schedules", "manage_pipeline_schedules"]]
  ] as const)("nobody uses %s where it is switched off, and only members where it is private", (feature, affected) => {
    for (const ability of affected) {
      const [, ofPublic] = table[ability]
      const level = (access: "disabled" | "private") => project({ visibility: "public", [`${feature}_access_level`]: access })
      expect([ability, allowed(ability, level("disabled"))]).toEqual([ability, []])
      const members = from("guest").filter((name) => ofPublic.includes(name))
      expect([ability, allowed(ability, level("private"))]).toEqual([ability, members])
    }
  })
})

it("who may read a project sees its pages where they are not kept to members, and nobody where they are switched off", () => {
  const having = (pages_access_level: "disabled" | "private" | "enabled" | "public") =>
    abilities
      .filter((ability) => ability.endsWith("_pages") || ability === "read_pages_content")
      .map((ability) => allowed(ability, project({ visibility: "public", pages_access_level })))
  const [members, maintainers] = [from("guest"), from("maintainer")]
  expect(having("public")).toEqual([everybody, maintainers, maintainers, maintainers, maintainers])
  expect(having("enabled")).toEqual(having("public"))
  expect(having("private")).toEqual([members, maintainers, maintainers, maintainers, maintainers])
  expect(having("disabled")).toEqual([[], [], [], maintainers, []])
})

it.each([
  ["merge_requests", ["administrator"]],
  ["repository", []]
] as const)(
  "only Reporters and above see merge requests where %s is private, and %j where it is switched off",
  (feature, kept) => {
    const level = (access: "disabled" | "private") => project({ visibility: "public", [`${feature}_access_level`]: access })
    expect(allowed("read_merge_requests", level("private"))).toEqual(from("reporter"))
    expect(allowed("read_merge_requests", level("disabled"))).toEqual(kept)
  }
)

it("administrators alone go on with merge requests where they are switched off", () => {
  const level = (access: "disabled" | "private") => project({ visibility: "public", merge_requests_access_level: access })
  for (const ability of [
    "create_merge_request_in",
    "create_merge_request_from",
    "update_merge_request",
    "approve_merge_request",
    "remove_merge_request"
  ] as const) {
    expect([ability, allowed(ability, level("disabled"))]).toEqual([ability, ["administrator"]])
    const members = from("guest").filter((name) => table[ability][1].includes(name))
    expect([ability, allowed(ability, level("private"))]).toEqual([ability, members])
  }
})

it.each(["read_pipelines", "read_jobs", "read_pipeline_schedules"] as const)(
  "only Reporters and above have %s where they are not public",
  (ability) => {
    const seen = (visibility: "private" | "internal" | "public") => allowed(ability, project({ visibility, public_jobs: false }))
    expect([seen("private"), seen("internal"), seen("public")]).toEqual([from("reporter"), from("reporter"), from("reporter")])
  }
)

it.each([
  ["read_commit_statuses", "guest"],
  ["read_pipelines", "guest"],
  ["create_pipeline", "developer"],
  ["update_pipeline", "developer"],
  ["delete_pipeline", "owner"]
] as const)("%s stays where jobs are switched off, and is kept to members where they are", (ability, least) => {
  const having = (builds_access_level: "disabled" | "private") =>
    allowed(ability, project({ visibility: "public", builds_access_level }))
  expect([having("disabled"), having("private")]).toEqual([table[ability][1], from(least)])
})

it.each(["read_labels", "manage_labels", "read_milestones", "manage_milestones"] as const)(
  "%s goes where issues and merge requests are both switched off or kept from somebody",
  (ability) => {
    const having = (issues_access_level: FeatureAccess, merge_requests_access_level: FeatureAccess) =>
      allowed(ability, project({ visibility: "public", issues_access_level, merge_requests_access_level }))
    const [least, ofPublic] = table[ability]
    expect([having("enabled", "disabled"), having("disabled", "enabled")]).toEqual([ofPublic, ofPublic])
    expect([having("private", "disabled"), having("disabled", "disabled")]).toEqual([from(least), []])
  }
)

it("nobody writes into an archived project, but its maintainers go on administering it", () => {
  const archived = project({ visibility: "public", archived: true })
  for (const ability of [
    "push_code",
    "create_issue",
    "create_merge_request_in",
    "deploy_pages",
    "create_pipeline",
    "create_pipeline_schedule"
  ] as const) {
    expect([ability, allowed(ability, archived)]).toEqual([ability, []])
  }
  expect(allowed("admin_project", archived)).toEqual(from("maintainer"))
  expect(allowed("archive_project", archived)).toEqual(from("owner"))
  expect(allowed("read_code", archived)).toEqual(everybody)
  expect(allowed("read_pipeline_schedules", archived)).toEqual(everybodySignedIn)
  expect(allowed("read_variables_of_schedules", archived)).toEqual(from("maintainer"))
  expect(allowed("read_variables_of_own_schedules", archived)).toEqual(from("developer"))
})

it.each([
  [false, "no_one_allowed", from("developer")],
  [true, "developer", from("developer")],
  [true, "maintainer", from("maintainer")],
  [true, "owner", from("owner")],
  [true, "no_one_allowed", []]
] as const)("variables of pipelines, limited %s to %s, are given by these", (isRestricted, least, expected) => {
  const rule = { restrict_user_defined_variables: isRestricted, ci_pipeline_variables_minimum_override_role: least }
  expect(everybody.filter((somebody) => mayGiveVariables(askerOf(somebody), rule))).toEqual(expected)
})
