import { anyId, anyTime } from "#test/support/exactly.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { externalUrl } from "./useProjects.ts"

const root = rootReference(externalUrl)

interface Given {
  readonly id: number
  readonly name: string
  readonly path: string
}

/** A personal project of root in the simple form, made with nothing but a name. */
export const simpleShape = ({ id, name, path }: Given) => ({
  id,
  description: null,
  name,
  name_with_namespace: `Administrator / ${name}`,
  path,
  path_with_namespace: `root/${path}`,
  created_at: anyTime,
  default_branch: "main",
  tag_list: [] as ReadonlyArray<string>,
  topics: [] as ReadonlyArray<string>,
  ssh_url_to_repo: `git@${new URL(externalUrl).hostname}:root/${path}.git`,
  http_url_to_repo: `${externalUrl}/root/${path}.git`,
  web_url: `${externalUrl}/root/${path}`,
  readme_url: null,
  forks_count: 0,
  avatar_url: null,
  star_count: 0,
  last_activity_at: anyTime,
  namespace: {
    id: anyId,
    name: "Administrator",
    path: "root",
    kind: "user",
    full_path: "root",
    parent_id: null,
    avatar_url: null,
    web_url: `${externalUrl}/root`
  }
})

/** The same in the full form, as its Maintainers see it. */
export const fullShape = (given: Given) => {
  const self = `${externalUrl}/api/v4/projects/${given.id}`
  return {
    ...simpleShape(given),
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
      cluster_agents: `${self}/cluster_agents`
    },
    packages_enabled: true,
    empty_repo: true,
    archived: false,
    visibility: "private",
    owner: root,
    resolve_outdated_diff_discussions: false,
    repository_object_format: "sha1",
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    container_registry_enabled: true,
    service_desk_enabled: false,
    can_create_merge_request_in: true,
    issues_access_level: "enabled",
    repository_access_level: "enabled",
    merge_requests_access_level: "enabled",
    forking_access_level: "enabled",
    wiki_access_level: "enabled",
    builds_access_level: "enabled",
    snippets_access_level: "enabled",
    pages_access_level: "private",
    analytics_access_level: "enabled",
    container_registry_access_level: "enabled",
    security_and_compliance_access_level: "private",
    releases_access_level: "enabled",
    environments_access_level: "enabled",
    feature_flags_access_level: "enabled",
    infrastructure_access_level: "enabled",
    monitor_access_level: "enabled",
    model_experiments_access_level: "enabled",
    model_registry_access_level: "enabled",
    emails_disabled: false,
    emails_enabled: true,
    shared_runners_enabled: true,
    lfs_enabled: false,
    creator_id: 1,
    import_url: null,
    import_type: null,
    import_status: "none",
    import_error: null,
    open_issues_count: 0,
    description_html: "",
    updated_at: anyTime,
    ci_default_git_depth: 20 as number | null,
    ci_forward_deployment_enabled: true,
    ci_forward_deployment_rollback_allowed: true,
    ci_job_token_scope_enabled: false,
    ci_separated_caches: true,
    ci_allow_fork_pipelines_to_run_in_parent_project: true,
    build_git_strategy: "fetch",
    keep_latest_artifact: true,
    restrict_user_defined_variables: false,
    ci_pipeline_variables_minimum_override_role: "maintainer",
    runners_token: null,
    runner_token_expiration_interval: null,
    group_runners_enabled: true,
    auto_cancel_pending_pipelines: "enabled",
    build_timeout: 3600,
    auto_devops_enabled: false,
    auto_devops_deploy_strategy: "continuous",
    ci_push_repository_for_job_token_allowed: false,
    ci_config_path: null,
    public_jobs: true,
    shared_with_groups: [],
    only_allow_merge_if_pipeline_succeeds: false,
    allow_merge_on_skipped_pipeline: false,
    request_access_enabled: true,
    only_allow_merge_if_all_discussions_are_resolved: false,
    remove_source_branch_after_merge: true,
    printing_merge_request_link_enabled: true,
    merge_method: "merge",
    squash_option: "default_off",
    enforce_auth_checks_on_uploads: true,
    suggestion_commit_message: null,
    merge_commit_template: null,
    squash_commit_template: null,
    issue_branch_template: null,
    warn_about_potentially_unwanted_characters: true,
    autoclose_referenced_issues: true
  }
}
