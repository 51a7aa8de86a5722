import { Schema, Struct } from "effect"
import { NamespaceReference, ProjectReference } from "../../http/answer/references.ts"
import { UserReference } from "../../http/answer/shapes.ts"
import { storageSizes } from "../../http/answer/storageSizes.ts"
import { Visibility } from "../../kernel/visibility.ts"
import { SharedWith } from "../../members/contract.ts"
import { ProjectSettings } from "../settings/settings.ts"

const text = Schema.String
const nullableText = Schema.NullOr(text)
const flag = Schema.Boolean
const { optionalKey } = Schema
const { fields: setting } = ProjectSettings
/** The field is shown when the caller may use the feature of the project. */
const optionalText = optionalKey(text)

const LicenseShape = Schema.Struct({
  key: text,
  name: text,
  nickname: nullableText,
  html_url: nullableText,
  source_url: nullableText
}).annotate({ identifier: "License" })
export type License = typeof LicenseShape.Type

/** The statistics of a project; all but the number of commits are in bytes. */
const Statistics = Schema.Struct({
  commit_count: Schema.Int,
  ...storageSizes,
  container_registry_size: Schema.Int
}).annotate({ identifier: "ProjectStatistics" })

const simpleFields = {
  ...ProjectReference.fields,
  default_branch: optionalText,
  tag_list: Schema.Array(text),
  topics: Schema.Array(text),
  /** No SSH is served. */
  ssh_url_to_repo: Schema.Null,
  http_url_to_repo: text,
  web_url: text,
  readme_url: nullableText,
  forks_count: Schema.Int,
  license_url: optionalKey(nullableText),
  license: optionalKey(Schema.NullOr(LicenseShape)),
  avatar_url: nullableText,
  star_count: Schema.Int,
  last_activity_at: text,
  namespace: NamespaceReference
}

/** A project as anonymous callers see it, and where `simple` is asked for. */
export const SimpleProject = Schema.Struct(simpleFields).annotate({ identifier: "SimpleProject" })

const accessFields = {
  issues_access_level: setting.issuesAccessLevel,
  repository_access_level: setting.repositoryAccessLevel,
  merge_requests_access_level: setting.mergeRequestsAccessLevel,
  forking_access_level: setting.forkingAccessLevel,
  wiki_access_level: setting.wikiAccessLevel,
  builds_access_level: setting.buildsAccessLevel,
  snippets_access_level: setting.snippetsAccessLevel,
  pages_access_level: setting.pagesAccessLevel,
  analytics_access_level: setting.analyticsAccessLevel,
  container_registry_access_level: setting.containerRegistryAccessLevel,
  security_and_compliance_access_level: setting.securityAndComplianceAccessLevel,
  releases_access_level: setting.releasesAccessLevel,
  environments_access_level: setting.environmentsAccessLevel,
  feature_flags_access_level: setting.featureFlagsAccessLevel,
  infrastructure_access_level: setting.infrastructureAccessLevel,
  monitor_access_level: setting.monitorAccessLevel,
  model_experiments_access_level: setting.modelExperimentsAccessLevel,
  model_registry_access_level: setting.modelRegistryAccessLevel
}

/** The fields that only maintainers see. */
const maintainerFields = {
  ci_default_git_depth: setting.ciDefaultGitDepth,
  ci_forward_deployment_enabled: flag,
  ci_forward_deployment_rollback_allowed: flag,
  ci_job_token_scope_enabled: flag,
  ci_separated_caches: flag,
  ci_allow_fork_pipelines_to_run_in_parent_project: flag,
  build_git_strategy: setting.buildGitStrategy,
  keep_latest_artifact: flag,
  restrict_user_defined_variables: flag,
  ci_pipeline_variables_minimum_override_role: setting.ciPipelineVariablesMinimumOverrideRole,
  runners_token: nullableText,
  runner_token_expiration_interval: Schema.NullOr(Schema.Int),
  group_runners_enabled: flag,
  auto_cancel_pending_pipelines: setting.autoCancelPendingPipelines,
  build_timeout: Schema.Int,
  auto_devops_enabled: flag,
  auto_devops_deploy_strategy: setting.autoDevopsDeployStrategy,
  ci_push_repository_for_job_token_allowed: flag
}

const Access = Schema.NullOr(Schema.Struct({ access_level: Schema.Int, notification_level: Schema.Int }))

const fullFields = {
  ...simpleFields,
  _links: Schema.Struct({
    self: text,
    issues: optionalText,
    merge_requests: optionalText,
    repo_branches: text,
    labels: text,
    events: text,
    members: text,
    cluster_agents: text
  }),
  packages_enabled: flag,
  empty_repo: flag,
  archived: flag,
  visibility: Visibility,
  owner: optionalKey(UserReference),
  resolve_outdated_diff_discussions: flag,
  repository_object_format: Schema.Literal("sha1"),
  issues_enabled: flag,
  merge_requests_enabled: flag,
  wiki_enabled: flag,
  jobs_enabled: flag,
  snippets_enabled: flag,
  container_registry_enabled: flag,
  service_desk_enabled: flag,
  can_create_merge_request_in: flag,
  ...accessFields,
  emails_disabled: flag,
  emails_enabled: flag,
  shared_runners_enabled: flag,
  /** No LFS is served, whatever the setting. */
  lfs_enabled: Schema.Literal(false),
  creator_id: Schema.Int,
  mr_default_target_self: optionalKey(flag),
  forked_from_project: optionalKey(SimpleProject),
  import_url: optionalKey(nullableText),
  import_type: optionalKey(Schema.NullOr(Schema.Literal("git"))),
  import_status: Schema.Literals(["none", "scheduled", "started", "finished", "failed"]),
  import_error: optionalKey(nullableText),
  open_issues_count: optionalKey(Schema.Int),
  description_html: text,
  updated_at: text,
  ...Struct.map(maintainerFields, optionalKey),
  ci_config_path: optionalKey(nullableText),
  public_jobs: flag,
  shared_with_groups: Schema.Array(SharedWith),
  only_allow_merge_if_pipeline_succeeds: flag,
  allow_merge_on_skipped_pipeline: flag,
  request_access_enabled: flag,
  only_allow_merge_if_all_discussions_are_resolved: flag,
  remove_source_branch_after_merge: flag,
  printing_merge_request_link_enabled: flag,
  merge_method: setting.mergeMethod,
  squash_option: setting.squashOption,
  enforce_auth_checks_on_uploads: flag,
  suggestion_commit_message: optionalKey(nullableText),
  merge_commit_template: optionalKey(nullableText),
  squash_commit_template: optionalKey(nullableText),
  issue_branch_template: optionalKey(nullableText),
  statistics: optionalKey(Statistics),
  warn_about_potentially_unwanted_characters: flag,
  autoclose_referenced_issues: flag
}

/** A project as signed-in callers see it. */
export const FullProject = Schema.Struct(fullFields).annotate({ identifier: "Project" })

/** A project with the access levels of the caller. */
export const ProjectWithPermissions = Schema.Struct({
  ...fullFields,
  permissions: Schema.Struct({ project_access: Access, group_access: Access })
}).annotate({ identifier: "ProjectWithPermissions" })

const Level = Schema.Struct({
  id: Schema.Int,
  access_level: Schema.Int,
  access_level_description: text,
  deploy_key_id: Schema.Null,
  user_id: Schema.Null,
  group_id: Schema.Null
}).annotate({ identifier: "ProtectedAccessLevel" })

export const ProtectedBranch = Schema.Struct({
  id: Schema.Int,
  name: text,
  push_access_levels: Schema.Array(Level),
  merge_access_levels: Schema.Array(Level),
  allow_force_push: flag
}).annotate({ identifier: "ProtectedBranch" })

export const ProtectedTag = Schema.Struct({ name: text, create_access_levels: Schema.Array(Level) }).annotate({
  identifier: "ProtectedTag"
})
