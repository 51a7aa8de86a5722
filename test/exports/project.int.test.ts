import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { times } from "./shapes.ts"
import { useContent } from "./useContent.ts"

const { done, exported, minute, newProject, post, recordsOf, textOf } = useContent()

let id = 0

beforeAll(async () => {
  id = await newProject("set-up", { visibility: "public", description: 'All "settings"' })
  minute(1)
  const branch = { name: "release/*", push_access_level: 0, merge_access_level: 30, allow_force_push: true }
  await post(`/projects/${id}/protected_branches`, branch)
  minute(2)
  await post(`/projects/${id}/protected_tags`, { name: "v*", create_access_level: 40 })
  await post(`/projects/${id}/protected_tags`, { name: "nightly", create_access_level: 30 })
  await exported(id, { json: { batched: true } })
  await exported(id)
})

const parsed = async (relation: string, projectId = id): Promise<unknown> => JSON.parse(await textOf(projectId, relation))

describe("protected refs", () => {
  const level = (access_level: number, made: number) => ({ access_level, ...times(made), user_id: null, group_id: null })

  it("are branches, with who may push and merge", async () => {
    const branch = (name: string, made: number, isForced: boolean, [merge = 0, push = 0]: ReadonlyArray<number>) => ({
      project_id: id,
      name,
      ...times(made),
      code_owner_approval_required: false,
      allow_force_push: isForced,
      merge_access_levels: [level(merge, made)],
      push_access_levels: [level(push, made)]
    })
    expectExactly(await recordsOf(id, "protected_branches"), [
      branch("main", 0, false, [40, 40]),
      branch("release/*", 1, true, [30, 0])
    ])
  })

  it("are tags, with who may create them", async () => {
    const tag = (name: string, create: number) => ({
      project_id: id,
      name,
      ...times(2),
      create_access_levels: [level(create, 2)]
    })
    expectExactly(await recordsOf(id, "protected_tags"), [tag("v*", 40), tag("nightly", 30)])
  })
})

describe("the parts of a project", () => {
  const levels = (levelOf: (name: string) => number, of: number, updated: number) => {
    const named = (...names: ReadonlyArray<string>) =>
      Object.fromEntries(names.map((name) => [`${name}_access_level`, levelOf(name)]))
    return {
      project_id: of,
      ...named("merge_requests", "issues", "wiki", "snippets", "builds"),
      ...times(0, updated),
      ...named("repository", "pages", "forking", "metrics_dashboard", "operations", "monitor", "analytics"),
      ...named("security_and_compliance", "container_registry", "package_registry", "environments", "feature_flags", "releases"),
      ...named("infrastructure", "model_experiments", "model_registry")
    }
  }

  it("are numbers, each in its place", async () => {
    const usual: Readonly<Record<string, number>> = { pages: 10, security_and_compliance: 10 }
    expectExactly(
      await parsed("project_feature"),
      levels((name) => usual[name] ?? 20, id, 0)
    )
  })

  it("are disabled, private, enabled or public", async () => {
    minute(3)
    const other = await newProject("parts")
    minute(4)
    const off = { issues_access_level: "disabled", wiki_access_level: "private", monitor_access_level: "disabled" }
    await done("PUT", `/projects/${other}`, { ...off, pages_access_level: "public", packages_enabled: false })
    await exported(other)
    const value = await parsed("project_feature", other)
    const changed: Readonly<Record<string, number>> = {
      ...{ issues: 0, wiki: 10, monitor: 0, metrics_dashboard: 0, operations: 0, pages: 30, package_registry: 0 },
      security_and_compliance: 10
    }
    expectExactly(value, { ...levels((name) => changed[name] ?? 20, other, 4), ...times(3, 4) })
  })
})

describe("the settings of a project", () => {
  it("are those of continuous integration, in relations of their own", async () => {
    expectExactly(await parsed("auto_devops"), {
      ...times(0),
      project_id: id,
      enabled: false,
      deploy_strategy: "continuous"
    })
    expectExactly(await parsed("ci_cd_settings"), {
      group_runners_enabled: true,
      runner_token_expiration_interval: null,
      default_git_depth: 20
    })
  })

  const attributes = {
    description: 'All "settings"',
    visibility_level: 20,
    archived: false,
    merge_requests_template: null,
    merge_requests_rebase_enabled: false,
    merge_requests_ff_only_enabled: false,
    approvals_before_merge: null,
    issues_template: null,
    build_timeout: 3_600,
    build_allow_git_fetch: true,
    public_builds: true,
    pending_delete: false,
    only_allow_merge_if_pipeline_succeeds: false,
    only_allow_merge_if_all_discussions_are_resolved: false,
    remove_source_branch_after_merge: true,
    request_access_enabled: true,
    shared_runners_enabled: true,
    suggestion_commit_message: null,
    auto_cancel_pending_pipelines: "enabled",
    autoclose_referenced_issues: true,
    has_external_issue_tracker: false,
    has_external_wiki: false,
    pages_https_only: null,
    printing_merge_request_link_enabled: true,
    resolve_outdated_diff_discussions: false,
    external_authorization_classification_label: null,
    jobs_cache_index: null,
    last_repository_check_failed: null,
    delete_error: null,
    reset_approvals_on_push: null,
    disable_overriding_approvers_per_merge_request: null,
    merge_requests_author_approval: null,
    merge_requests_disable_committers_approval: null,
    require_password_to_approve: null,
    service_desk_enabled: false,
    allow_merge_on_skipped_pipeline: false,
    squash_option: "default_off",
    merge_commit_template: null,
    squash_commit_template: null
  }

  it("are one object in `self`, without end of line", async () => {
    const text = await textOf(id, "self")
    expect(text).toBe(JSON.stringify(attributes))
    expectExactly(JSON.parse(text), attributes)
  })

  it("are told as they are set", async () => {
    const other = await newProject("changed", { visibility: "internal" })
    const templates = { merge_commit_template: "Merge %{title}", squash_commit_template: "%{title}" }
    const merging = { ...templates, suggestion_commit_message: "Apply", squash_option: "always" }
    const flags = {
      only_allow_merge_if_pipeline_succeeds: true,
      only_allow_merge_if_all_discussions_are_resolved: true,
      allow_merge_on_skipped_pipeline: true,
      request_access_enabled: false,
      shared_runners_enabled: false,
      group_runners_enabled: false,
      remove_source_branch_after_merge: false,
      resolve_outdated_diff_discussions: true,
      printing_merge_request_link_enabled: false,
      autoclose_referenced_issues: false
    }
    const building = { build_timeout: 1_200, build_git_strategy: "clone", public_jobs: false, ci_default_git_depth: 5 }
    const more = { auto_cancel_pending_pipelines: "disabled", auto_devops_enabled: true, auto_devops_deploy_strategy: "manual" }
    await done("PUT", `/projects/${other}`, { merge_method: "rebase_merge", ...merging, ...flags, ...building, ...more })
    await done("PATCH", `/projects/${other}/pages`, { pages_https_only: true })
    await post(`/projects/${other}/archive`)
    await exported(other)
    const { group_runners_enabled, ...own } = flags
    expectExactly(await parsed("self", other), {
      ...attributes,
      description: null,
      visibility_level: 10,
      archived: true,
      merge_requests_rebase_enabled: true,
      ...own,
      ...merging,
      build_timeout: 1_200,
      build_allow_git_fetch: false,
      public_builds: false,
      auto_cancel_pending_pipelines: "disabled",
      pages_https_only: true
    })
    expect(await textOf(other, "ci_cd_settings")).toBe(
      `{"group_runners_enabled":${group_runners_enabled},"runner_token_expiration_interval":null,"default_git_depth":5}`
    )
    expect(await textOf(other, "auto_devops")).toMatch(/"enabled":true,"deploy_strategy":"manual"\}$/)
    const fast = await newProject("fast-forward", { merge_method: "ff" })
    await exported(fast)
    const expected = { ...attributes, description: null, visibility_level: 0, merge_requests_ff_only_enabled: true }
    expectExactly(await parsed("self", fast), expected)
  })
})
