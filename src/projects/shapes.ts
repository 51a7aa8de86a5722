import { Schema, Struct } from "effect"
import { flag, integer, literal, nothing, nullableInteger, nullableText, text, time, url } from "../http/answer/fields.ts"
import { NamespaceReference, ProjectReference } from "../http/answer/references.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { storageSizes } from "../http/answer/storageSizes.ts"
import { Visibility } from "../kernel/visibility.ts"
import { SharedWith } from "../members/contract.ts"
import { ProjectSettings } from "./settings/settings.ts"
import { settingTexts } from "./settings/texts.ts"

const { optionalKey } = Schema
const { fields: setting } = ProjectSettings

const LicenseShape = Schema.Struct({
  key: text("SPDX identifier in lower case."),
  name: text("Name of the licence."),
  nickname: nullableText("Shorter name."),
  html_url: nullableText("Page that explains the licence."),
  source_url: nullableText("The text of the licence.")
}).annotate({ identifier: "License" })
export type License = typeof LicenseShape.Type

/** The statistics of a project; all but the number of commits are in bytes. */
const Statistics = Schema.Struct({
  commit_count: integer("Number of commits on the default branch."),
  ...storageSizes,
  container_registry_size: integer("Bytes that the container registry takes.")
}).annotate({ identifier: "ProjectStatistics" })

const simpleFields = {
  ...ProjectReference.fields,
  default_branch: optionalKey(text("Name of the default branch. Only for those who may read the code.")),
  tag_list: Schema.Array(Schema.String).annotate({ description: "As `topics`." }),
  topics: Schema.Array(Schema.String).annotate({ description: "Topics of the project." }),
  ssh_url_to_repo: text("Address for SSH, which is not served: clients want one to be told."),
  http_url_to_repo: url("Address to clone from."),
  web_url: url("Page of the project."),
  readme_url: nullableText("Page of the README; null when there is none, or the caller may not read the code."),
  forks_count: integer("Number of forks."),
  license_url: optionalKey(nullableText("Page of the licence. Where `license` is asked for.")),
  license: optionalKey(
    Schema.NullOr(LicenseShape).annotate({ description: "The licence of the default branch. Where `license` is asked for." })
  ),
  avatar_url: nullableText("Null: projects have no pictures."),
  star_count: integer("Number of users who starred the project."),
  last_activity_at: time("When something last happened."),
  namespace: NamespaceReference.annotateKey({ description: "The group or personal namespace that the project is in." })
}

/** A project as anonymous callers see it, and where `simple` is asked for. */
export const SimpleProject = Schema.Struct(simpleFields).annotate({ identifier: "SimpleProject" })

const forkedFrom = optionalKey(SimpleProject).annotateKey({
  description: "The project that it is a fork of, where the caller may see that."
})

/** A project as anonymous callers see it alone. */
export const PublicProject = Schema.Struct({ ...simpleFields, forked_from_project: forkedFrom }).annotate({
  identifier: "PublicProject"
})

const accessFields = {
  issues_access_level: setting.issuesAccessLevel.annotate({ description: settingTexts.issues_access_level }),
  repository_access_level: setting.repositoryAccessLevel.annotate({ description: settingTexts.repository_access_level }),
  merge_requests_access_level: setting.mergeRequestsAccessLevel.annotate({
    description: settingTexts.merge_requests_access_level
  }),
  forking_access_level: setting.forkingAccessLevel.annotate({ description: settingTexts.forking_access_level }),
  wiki_access_level: setting.wikiAccessLevel.annotate({ description: settingTexts.wiki_access_level }),
  builds_access_level: setting.buildsAccessLevel.annotate({ description: settingTexts.builds_access_level }),
  snippets_access_level: setting.snippetsAccessLevel.annotate({ description: settingTexts.snippets_access_level }),
  pages_access_level: setting.pagesAccessLevel.annotate({ description: settingTexts.pages_access_level }),
  analytics_access_level: setting.analyticsAccessLevel.annotate({ description: settingTexts.analytics_access_level }),
  container_registry_access_level: setting.containerRegistryAccessLevel.annotate({
    description: settingTexts.container_registry_access_level
  }),
  security_and_compliance_access_level: setting.securityAndComplianceAccessLevel.annotate({
    description: settingTexts.security_and_compliance_access_level
  }),
  releases_access_level: setting.releasesAccessLevel.annotate({ description: settingTexts.releases_access_level }),
  environments_access_level: setting.environmentsAccessLevel.annotate({ description: settingTexts.environments_access_level }),
  feature_flags_access_level: setting.featureFlagsAccessLevel.annotate({ description: settingTexts.feature_flags_access_level }),
  infrastructure_access_level: setting.infrastructureAccessLevel.annotate({
    description: settingTexts.infrastructure_access_level
  }),
  monitor_access_level: setting.monitorAccessLevel.annotate({ description: settingTexts.monitor_access_level }),
  model_experiments_access_level: setting.modelExperimentsAccessLevel.annotate({
    description: settingTexts.model_experiments_access_level
  }),
  model_registry_access_level: setting.modelRegistryAccessLevel.annotate({
    description: settingTexts.model_registry_access_level
  })
}

/** The fields that only maintainers see. */
const maintainerFields = {
  ci_default_git_depth: setting.ciDefaultGitDepth.annotate({ description: settingTexts.ci_default_git_depth }),
  ci_forward_deployment_enabled: flag(settingTexts.ci_forward_deployment_enabled),
  ci_forward_deployment_rollback_allowed: flag(settingTexts.ci_forward_deployment_rollback_allowed),
  ci_job_token_scope_enabled: flag(settingTexts.ci_job_token_scope_enabled),
  ci_separated_caches: flag(settingTexts.ci_separated_caches),
  ci_allow_fork_pipelines_to_run_in_parent_project: flag(settingTexts.ci_allow_fork_pipelines_to_run_in_parent_project),
  build_git_strategy: setting.buildGitStrategy.annotate({ description: settingTexts.build_git_strategy }),
  keep_latest_artifact: flag(settingTexts.keep_latest_artifact),
  restrict_user_defined_variables: flag(settingTexts.restrict_user_defined_variables),
  ci_pipeline_variables_minimum_override_role: setting.ciPipelineVariablesMinimumOverrideRole.annotate({
    description: settingTexts.ci_pipeline_variables_minimum_override_role
  }),
  runners_token: nullableText("Null: there are no runners."),
  runner_token_expiration_interval: nullableInteger("Null: there are no runners."),
  group_runners_enabled: flag(settingTexts.group_runners_enabled),
  auto_cancel_pending_pipelines: setting.autoCancelPendingPipelines.annotate({
    description: settingTexts.auto_cancel_pending_pipelines
  }),
  build_timeout: integer(settingTexts.build_timeout),
  auto_devops_enabled: flag(settingTexts.auto_devops_enabled),
  auto_devops_deploy_strategy: setting.autoDevopsDeployStrategy.annotate({
    description: settingTexts.auto_devops_deploy_strategy
  }),
  ci_push_repository_for_job_token_allowed: flag(settingTexts.ci_push_repository_for_job_token_allowed)
}

const Access = Schema.NullOr(
  Schema.Struct({
    access_level: integer("Level of access: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner."),
    notification_level: integer("3: as set for all projects.")
  })
)

const fullFields = {
  ...simpleFields,
  _links: Schema.Struct({
    self: url("Address of the project here."),
    issues: optionalKey(text("Address of its issues. Where the caller may use them.")),
    merge_requests: optionalKey(text("Address of its merge requests. Where the caller may use them.")),
    repo_branches: url("Address of its branches."),
    labels: url("Address of its labels."),
    events: url("Address of its events."),
    members: url("Address of its members."),
    cluster_agents: url("Address of its agents for Kubernetes.")
  }).annotate({ description: "Addresses of what belongs to the project." }),
  packages_enabled: flag(settingTexts.packages_enabled),
  empty_repo: flag("Whether nothing was pushed yet."),
  archived: flag("Whether the project is read-only."),
  visibility: Visibility.annotate({ description: "Who may see the project." }),
  owner: optionalKey(UserReference).annotateKey({ description: "Whose personal project it is; absent in groups." }),
  resolve_outdated_diff_discussions: flag(settingTexts.resolve_outdated_diff_discussions),
  repository_object_format: literal("sha1", "Always `sha1`."),
  issues_enabled: flag("Whether the caller may use issues."),
  merge_requests_enabled: flag("Whether the caller may use merge requests."),
  wiki_enabled: flag("Whether the caller may use the wiki."),
  jobs_enabled: flag("Whether the caller may use pipelines and jobs."),
  snippets_enabled: flag("Whether the caller may use snippets."),
  container_registry_enabled: flag("Whether the caller may use the container registry."),
  service_desk_enabled: flag(settingTexts.service_desk_enabled),
  can_create_merge_request_in: flag("Whether the caller may create merge requests in it."),
  ...accessFields,
  emails_disabled: flag("The opposite of `emails_enabled`."),
  emails_enabled: flag(settingTexts.emails_enabled),
  shared_runners_enabled: flag(settingTexts.shared_runners_enabled),
  lfs_enabled: literal(false, "False: LFS is not served."),
  creator_id: integer("ID of the user who created it."),
  mr_default_target_self: optionalKey(flag(settingTexts.mr_default_target_self)),
  forked_from_project: forkedFrom,
  import_url: optionalKey(nullableText("Where the repository was imported from, without credentials. Only for Maintainers.")),
  import_type: optionalKey(
    Schema.NullOr(Schema.Literal("git")).annotate({ description: "`git` for an import. Only for Maintainers." })
  ),
  import_status: Schema.Literals(["none", "scheduled", "started", "finished", "failed"]).annotate({
    description: "How far the import is; `finished` for a fork, `none` for others."
  }),
  import_error: optionalKey(nullableText("Why the import failed; null where none did. Only for Maintainers.")),
  open_issues_count: optionalKey(
    integer("Number of open issues; those that are confidential count for Reporters. Where the caller may use them.")
  ),
  description_html: text("The description as HTML."),
  updated_at: time("When the project was last changed."),
  ...Struct.map(maintainerFields, optionalKey),
  ci_config_path: optionalKey(nullableText(settingTexts.ci_config_path)),
  public_jobs: flag(settingTexts.public_jobs),
  shared_with_groups: Schema.Array(SharedWith).annotate({ description: "Groups with which the project is shared." }),
  only_allow_merge_if_pipeline_succeeds: flag(settingTexts.only_allow_merge_if_pipeline_succeeds),
  allow_merge_on_skipped_pipeline: flag(settingTexts.allow_merge_on_skipped_pipeline),
  request_access_enabled: flag(settingTexts.request_access_enabled),
  only_allow_merge_if_all_discussions_are_resolved: flag(settingTexts.only_allow_merge_if_all_discussions_are_resolved),
  remove_source_branch_after_merge: flag(settingTexts.remove_source_branch_after_merge),
  printing_merge_request_link_enabled: flag(settingTexts.printing_merge_request_link_enabled),
  merge_method: setting.mergeMethod.annotate({ description: settingTexts.merge_method }),
  squash_option: setting.squashOption.annotate({ description: settingTexts.squash_option }),
  enforce_auth_checks_on_uploads: flag(settingTexts.enforce_auth_checks_on_uploads),
  suggestion_commit_message: optionalKey(nullableText(settingTexts.suggestion_commit_message)),
  merge_commit_template: optionalKey(nullableText(settingTexts.merge_commit_template)),
  squash_commit_template: optionalKey(nullableText(settingTexts.squash_commit_template)),
  issue_branch_template: optionalKey(nullableText(settingTexts.issue_branch_template)),
  statistics: optionalKey(Statistics).annotateKey({ description: "What it takes. Where `statistics` is asked for." }),
  warn_about_potentially_unwanted_characters: flag(settingTexts.warn_about_potentially_unwanted_characters),
  autoclose_referenced_issues: flag(settingTexts.autoclose_referenced_issues)
}

/** A project as signed-in callers see it. */
export const FullProject = Schema.Struct(fullFields).annotate({ identifier: "Project" })

/** A project with the access levels of the caller. */
export const ProjectWithPermissions = Schema.Struct({
  ...fullFields,
  permissions: Schema.Struct({
    project_access: Access.annotate({ description: "As a member of the project; null for none." }),
    group_access: Access.annotate({ description: "As a member of a group above it; null for none." })
  }).annotate({ description: "Levels of access that the caller has in person." })
}).annotate({ identifier: "ProjectWithPermissions" })

const Level = Schema.Struct({
  id: integer("ID of the level."),
  access_level: integer("Least role: 0 for nobody, 30 for Developers, 40 for Maintainers, 60 for administrators."),
  access_level_description: text("The role in words."),
  deploy_key_id: nothing("Null: only roles may be chosen."),
  user_id: nothing("Null: only roles may be chosen."),
  group_id: nothing("Null: only roles may be chosen.")
}).annotate({ identifier: "ProtectedAccessLevel" })

export const ProtectedBranch = Schema.Struct({
  id: integer("ID of the protection."),
  name: text("Name, or a pattern with `*`."),
  push_access_levels: Schema.Array(Level).annotate({ description: "Levels of who may push." }),
  merge_access_levels: Schema.Array(Level).annotate({ description: "Levels of who may merge." }),
  allow_force_push: flag("Whether those who may push may also replace commits.")
}).annotate({ identifier: "ProtectedBranch" })

export const ProtectedTag = Schema.Struct({
  name: text("Name, or a pattern with `*`."),
  create_access_levels: Schema.Array(Level).annotate({ description: "Levels of who may create such tags." })
}).annotate({
  identifier: "ProtectedTag"
})
