import type { ParameterTable } from "../../http/parameters/parameters.ts"
import { visibilities } from "../../kernel/visibility.ts"

const level = { kind: "string", values: ["disabled", "private", "enabled"] } as const
const flag = { kind: "boolean" } as const
const text = { kind: "string" } as const

/** Settings that a project may be given when it is created, and later. */
export const settingsParameters = {
  description: { kind: "string", description: "Description of the project." },
  build_git_strategy: { kind: "string", values: ["fetch", "clone"] },
  build_timeout: { kind: "integer", description: "Seconds that a job may take." },
  auto_cancel_pending_pipelines: { kind: "string", values: ["disabled", "enabled"] },
  ci_config_path: { kind: "string", description: "Path of the pipelines' configuration." },
  service_desk_enabled: flag,
  issues_enabled: { kind: "boolean", description: "Use `issues_access_level`.", deprecated: true },
  merge_requests_enabled: { kind: "boolean", description: "Use `merge_requests_access_level`.", deprecated: true },
  wiki_enabled: { kind: "boolean", description: "Use `wiki_access_level`.", deprecated: true },
  jobs_enabled: { kind: "boolean", description: "Use `builds_access_level`.", deprecated: true },
  snippets_enabled: { kind: "boolean", description: "Use `snippets_access_level`.", deprecated: true },
  container_registry_enabled: { kind: "boolean", description: "Use `container_registry_access_level`.", deprecated: true },
  issues_access_level: level,
  repository_access_level: level,
  merge_requests_access_level: level,
  forking_access_level: level,
  wiki_access_level: level,
  builds_access_level: level,
  snippets_access_level: level,
  pages_access_level: { kind: "string", values: ["disabled", "private", "enabled", "public"] },
  analytics_access_level: level,
  container_registry_access_level: level,
  security_and_compliance_access_level: level,
  releases_access_level: level,
  environments_access_level: level,
  feature_flags_access_level: level,
  infrastructure_access_level: level,
  monitor_access_level: level,
  model_experiments_access_level: level,
  model_registry_access_level: level,
  emails_disabled: { kind: "boolean", description: "Use `emails_enabled`.", deprecated: true },
  emails_enabled: flag,
  resolve_outdated_diff_discussions: flag,
  remove_source_branch_after_merge: flag,
  packages_enabled: flag,
  shared_runners_enabled: flag,
  group_runners_enabled: flag,
  lfs_enabled: { kind: "boolean", description: "Kept, but without effect: LFS is not served." },
  request_access_enabled: flag,
  visibility: { kind: "string", values: visibilities, description: "Who may see the project." },
  public_builds: { kind: "boolean", description: "Use `public_jobs`.", deprecated: true },
  public_jobs: flag,
  enforce_auth_checks_on_uploads: flag,
  only_allow_merge_if_pipeline_succeeds: flag,
  allow_merge_on_skipped_pipeline: flag,
  only_allow_merge_if_all_discussions_are_resolved: flag,
  tag_list: { kind: "stringList", description: "Use `topics`.", deprecated: true },
  topics: { kind: "stringList", description: "Topics of the project." },
  printing_merge_request_link_enabled: flag,
  merge_method: { kind: "string", values: ["ff", "rebase_merge", "merge"] },
  squash_option: { kind: "string", values: ["never", "always", "default_on", "default_off"] },
  suggestion_commit_message: text,
  merge_commit_template: text,
  squash_commit_template: text,
  issue_branch_template: text,
  auto_devops_enabled: flag,
  auto_devops_deploy_strategy: { kind: "string", values: ["continuous", "manual", "timed_incremental"] },
  autoclose_referenced_issues: flag,
  warn_about_potentially_unwanted_characters: flag
} as const satisfies ParameterTable

/** Settings that only a project which is there may be given. */
export const laterParameters = {
  ci_default_git_depth: { kind: "integer", description: "Commits that a job fetches; 0 for all." },
  keep_latest_artifact: flag,
  ci_forward_deployment_enabled: flag,
  ci_forward_deployment_rollback_allowed: flag,
  ci_allow_fork_pipelines_to_run_in_parent_project: flag,
  ci_job_token_scope_enabled: flag,
  ci_separated_caches: flag,
  ci_push_repository_for_job_token_allowed: flag,
  ci_pipeline_variables_minimum_override_role: {
    kind: "string",
    values: ["no_one_allowed", "developer", "maintainer", "owner"]
  },
  restrict_user_defined_variables: flag,
  mr_default_target_self: { kind: "boolean", description: "Merge requests of a fork go to the fork itself." }
} as const satisfies ParameterTable
