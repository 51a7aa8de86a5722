import type { ParameterTable } from "../../http/parameters/parameters.ts"
import { visibilities } from "../../kernel/visibility.ts"
import { settingTexts } from "./texts.ts"

type SettingName = keyof typeof settingTexts

const level = (name: SettingName) =>
  ({ kind: "string", values: ["disabled", "private", "enabled"], description: settingTexts[name] }) as const
const flag = (name: SettingName) => ({ kind: "boolean", description: settingTexts[name] }) as const
const text = (name: SettingName) => ({ kind: "string", description: settingTexts[name] }) as const
const choice = <const V extends ReadonlyArray<string>>(name: SettingName, values: V) =>
  ({ kind: "string", values, description: settingTexts[name] }) as const
const integer = (name: SettingName) => ({ kind: "integer", description: settingTexts[name] }) as const

/** Settings that a project may be given when it is created, and later. */
export const settingsParameters = {
  description: { kind: "string", description: "Description of the project. Default: none." },
  build_git_strategy: choice("build_git_strategy", ["fetch", "clone"]),
  build_timeout: integer("build_timeout"),
  auto_cancel_pending_pipelines: choice("auto_cancel_pending_pipelines", ["disabled", "enabled"]),
  ci_config_path: text("ci_config_path"),
  service_desk_enabled: flag("service_desk_enabled"),
  issues_enabled: { kind: "boolean", description: "Use `issues_access_level`.", deprecated: true },
  merge_requests_enabled: { kind: "boolean", description: "Use `merge_requests_access_level`.", deprecated: true },
  wiki_enabled: { kind: "boolean", description: "Use `wiki_access_level`.", deprecated: true },
  jobs_enabled: { kind: "boolean", description: "Use `builds_access_level`.", deprecated: true },
  snippets_enabled: { kind: "boolean", description: "Use `snippets_access_level`.", deprecated: true },
  container_registry_enabled: { kind: "boolean", description: "Use `container_registry_access_level`.", deprecated: true },
  issues_access_level: level("issues_access_level"),
  repository_access_level: level("repository_access_level"),
  merge_requests_access_level: level("merge_requests_access_level"),
  forking_access_level: level("forking_access_level"),
  wiki_access_level: level("wiki_access_level"),
  builds_access_level: level("builds_access_level"),
  snippets_access_level: level("snippets_access_level"),
  pages_access_level: choice("pages_access_level", ["disabled", "private", "enabled", "public"]),
  analytics_access_level: level("analytics_access_level"),
  container_registry_access_level: level("container_registry_access_level"),
  security_and_compliance_access_level: level("security_and_compliance_access_level"),
  releases_access_level: level("releases_access_level"),
  environments_access_level: level("environments_access_level"),
  feature_flags_access_level: level("feature_flags_access_level"),
  infrastructure_access_level: level("infrastructure_access_level"),
  monitor_access_level: level("monitor_access_level"),
  model_experiments_access_level: level("model_experiments_access_level"),
  model_registry_access_level: level("model_registry_access_level"),
  emails_disabled: { kind: "boolean", description: "Use `emails_enabled`.", deprecated: true },
  emails_enabled: flag("emails_enabled"),
  resolve_outdated_diff_discussions: flag("resolve_outdated_diff_discussions"),
  remove_source_branch_after_merge: flag("remove_source_branch_after_merge"),
  packages_enabled: flag("packages_enabled"),
  shared_runners_enabled: flag("shared_runners_enabled"),
  group_runners_enabled: flag("group_runners_enabled"),
  lfs_enabled: flag("lfs_enabled"),
  request_access_enabled: flag("request_access_enabled"),
  visibility: { kind: "string", values: visibilities, description: "Who may see the project. Default: `private`." },
  public_builds: { kind: "boolean", description: "Use `public_jobs`.", deprecated: true },
  public_jobs: flag("public_jobs"),
  enforce_auth_checks_on_uploads: flag("enforce_auth_checks_on_uploads"),
  only_allow_merge_if_pipeline_succeeds: flag("only_allow_merge_if_pipeline_succeeds"),
  allow_merge_on_skipped_pipeline: flag("allow_merge_on_skipped_pipeline"),
  only_allow_merge_if_all_discussions_are_resolved: flag("only_allow_merge_if_all_discussions_are_resolved"),
  tag_list: { kind: "stringList", description: "Use `topics`.", deprecated: true },
  topics: { kind: "stringList", description: "Topics of the project. Default: none." },
  printing_merge_request_link_enabled: flag("printing_merge_request_link_enabled"),
  merge_method: choice("merge_method", ["ff", "rebase_merge", "merge"]),
  squash_option: choice("squash_option", ["never", "always", "default_on", "default_off"]),
  suggestion_commit_message: text("suggestion_commit_message"),
  merge_commit_template: text("merge_commit_template"),
  squash_commit_template: text("squash_commit_template"),
  issue_branch_template: text("issue_branch_template"),
  auto_devops_enabled: flag("auto_devops_enabled"),
  auto_devops_deploy_strategy: choice("auto_devops_deploy_strategy", ["continuous", "manual", "timed_incremental"]),
  autoclose_referenced_issues: flag("autoclose_referenced_issues"),
  warn_about_potentially_unwanted_characters: flag("warn_about_potentially_unwanted_characters")
} as const satisfies ParameterTable

/** Settings that only a project which is there may be given. */
export const laterParameters = {
  ci_default_git_depth: integer("ci_default_git_depth"),
  keep_latest_artifact: flag("keep_latest_artifact"),
  ci_forward_deployment_enabled: flag("ci_forward_deployment_enabled"),
  ci_forward_deployment_rollback_allowed: flag("ci_forward_deployment_rollback_allowed"),
  ci_allow_fork_pipelines_to_run_in_parent_project: flag("ci_allow_fork_pipelines_to_run_in_parent_project"),
  ci_job_token_scope_enabled: flag("ci_job_token_scope_enabled"),
  ci_separated_caches: flag("ci_separated_caches"),
  ci_push_repository_for_job_token_allowed: flag("ci_push_repository_for_job_token_allowed"),
  ci_pipeline_variables_minimum_override_role: choice("ci_pipeline_variables_minimum_override_role", [
    "no_one_allowed",
    "developer",
    "maintainer",
    "owner"
  ]),
  restrict_user_defined_variables: flag("restrict_user_defined_variables"),
  mr_default_target_self: flag("mr_default_target_self")
} as const satisfies ParameterTable
