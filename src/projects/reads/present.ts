import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { namespaceReference, projectReference } from "../../http/answer/references.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { accessLevel } from "../../members/levels.ts"
import { type Asker, can, type Feature, hasFeature } from "../abilities.ts"
import type { ImportRow } from "../ProjectImports.ts"
import type { ProjectDetails } from "../Queries.ts"
import type { RepositoryFigures } from "../repository/figures.ts"
import { initialBranch } from "../repository/initialBranch.ts"
import { licenseFields, presentStatistics, readmeUrl } from "../repository/present.ts"
import type { FoundLicense } from "../repository/rootFiles.ts"
import type { FullProject, ProjectWithPermissions, SimpleProject } from "./shapes.ts"

/** A project and who looks at it. */
export interface Viewed {
  readonly row: ProjectDetails
  readonly who: Asker
  readonly sharedWith?: (typeof FullProject.Type)["shared_with_groups"]
  /** The project that it is a fork of, if the caller may read that one. */
  readonly source?: { readonly row: ProjectDetails; readonly who: Asker }
  readonly imported?: ImportRow
  /** Where it was asked for; null for none. */
  readonly license?: FoundLicense | null
  /** Where it was asked for. */
  readonly figures?: RepositoryFigures
}

type Simple = typeof SimpleProject.Type

/** The fields that anonymous callers see. Gap: a README is shown to whoever may read code, as the default branch is. */
export const presentSimple = ({ license, row, who }: Viewed, url: string): Simple => ({
  ...projectReference(row),
  ...(can("read_code", who, row) ? { default_branch: row.default_branch ?? initialBranch } : {}),
  tag_list: row.topics,
  topics: row.topics,
  ssh_url_to_repo: `git@${new URL(url).hostname}:${row.path_with_namespace}.git`,
  http_url_to_repo: `${url}/${row.path_with_namespace}.git`,
  web_url: `${url}/${row.path_with_namespace}`,
  readme_url: can("read_code", who, row) ? readmeUrl(row, url) : null,
  forks_count: row.forks_count,
  ...licenseFields(row, license, url),
  avatar_url: null,
  star_count: row.star_count,
  last_activity_at: isoMillis(row.last_activity_at),
  namespace: namespaceReference(row.namespace, url)
})

const links = (id: number, has: (feature: Feature) => boolean, url: string) => {
  const self = `${url}/api/v4/projects/${id}`
  return {
    self,
    ...(has("issues") ? { issues: `${self}/issues` } : {}),
    ...(has("merge_requests") ? { merge_requests: `${self}/merge_requests` } : {}),
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`
  }
}

const accessLevels = (row: ProjectDetails) => ({
  issues_access_level: row.issues_access_level,
  repository_access_level: row.repository_access_level,
  merge_requests_access_level: row.merge_requests_access_level,
  forking_access_level: row.forking_access_level,
  wiki_access_level: row.wiki_access_level,
  builds_access_level: row.builds_access_level,
  snippets_access_level: row.snippets_access_level,
  pages_access_level: row.pages_access_level,
  analytics_access_level: row.analytics_access_level,
  container_registry_access_level: row.container_registry_access_level,
  security_and_compliance_access_level: row.security_and_compliance_access_level,
  releases_access_level: row.releases_access_level,
  environments_access_level: row.environments_access_level,
  feature_flags_access_level: row.feature_flags_access_level,
  infrastructure_access_level: row.infrastructure_access_level,
  monitor_access_level: row.monitor_access_level,
  model_experiments_access_level: row.model_experiments_access_level,
  model_registry_access_level: row.model_registry_access_level
})

/** Gap: there are no runners, so no token registers one. */
const forMaintainers = (row: ProjectDetails) => ({
  ci_default_git_depth: row.ci_default_git_depth,
  ci_forward_deployment_enabled: row.ci_forward_deployment_enabled,
  ci_forward_deployment_rollback_allowed: row.ci_forward_deployment_rollback_allowed,
  ci_job_token_scope_enabled: row.ci_job_token_scope_enabled,
  ci_separated_caches: row.ci_separated_caches,
  ci_allow_fork_pipelines_to_run_in_parent_project: row.ci_allow_fork_pipelines_to_run_in_parent_project,
  build_git_strategy: row.build_git_strategy,
  keep_latest_artifact: row.keep_latest_artifact,
  restrict_user_defined_variables: row.restrict_user_defined_variables,
  ci_pipeline_variables_minimum_override_role: row.ci_pipeline_variables_minimum_override_role,
  runners_token: null,
  runner_token_expiration_interval: null,
  group_runners_enabled: row.group_runners_enabled,
  auto_cancel_pending_pipelines: row.auto_cancel_pending_pipelines,
  build_timeout: row.build_timeout,
  auto_devops_enabled: row.auto_devops_enabled,
  auto_devops_deploy_strategy: row.auto_devops_deploy_strategy,
  ci_push_repository_for_job_token_allowed: row.ci_push_repository_for_job_token_allowed
})

const mergeSettings = ({ figures, row, sharedWith = [] }: Viewed) => ({
  ci_config_path: row.ci_config_path,
  public_jobs: row.public_jobs,
  shared_with_groups: sharedWith,
  only_allow_merge_if_pipeline_succeeds: row.only_allow_merge_if_pipeline_succeeds,
  allow_merge_on_skipped_pipeline: row.allow_merge_on_skipped_pipeline,
  request_access_enabled: row.request_access_enabled,
  only_allow_merge_if_all_discussions_are_resolved: row.only_allow_merge_if_all_discussions_are_resolved,
  remove_source_branch_after_merge: row.remove_source_branch_after_merge,
  printing_merge_request_link_enabled: row.printing_merge_request_link_enabled,
  merge_method: row.merge_method,
  squash_option: row.squash_option,
  enforce_auth_checks_on_uploads: row.enforce_auth_checks_on_uploads,
  suggestion_commit_message: row.suggestion_commit_message,
  merge_commit_template: row.merge_commit_template,
  squash_commit_template: row.squash_commit_template,
  issue_branch_template: row.issue_branch_template,
  ...(figures === undefined ? {} : { statistics: presentStatistics(figures) }),
  warn_about_potentially_unwanted_characters: row.warn_about_potentially_unwanted_characters,
  autoclose_referenced_issues: row.autoclose_referenced_issues
})

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Gap: how descriptions become HTML is not shown; here the text is one paragraph, without Markdown. */
const descriptionHtml = (description: string | null): string => {
  if (description === null || description === "") return ""
  return `<p dir="auto">${description.replace(/[&<>"]/g, (character) => entities[character] ?? character)}</p>`
}

const forkFields = ({ row, source }: Viewed, url: string) => ({
  ...(row.forked_from_id === null ? {} : { mr_default_target_self: row.mr_default_target_self }),
  ...(source === undefined ? {} : { forked_from_project: presentSimple(source, url) })
})

/** A fork is finished when it is answered. */
const importStatus = ({ imported, row }: Viewed): (typeof FullProject.Type)["import_status"] =>
  imported?.status ?? (row.forked_from_id === null ? "none" : "finished")

const importFields = (viewed: Viewed) => {
  const { imported, row, who } = viewed
  const import_status = importStatus(viewed)
  if (!can("admin_project", who, row)) return { import_status }
  if (imported === undefined) return { import_url: null, import_type: null, import_status }
  return { import_url: imported.import_url, import_type: "git" as const, import_status, import_error: imported.error }
}

export const presentFull = (viewed: Viewed, url: string): typeof FullProject.Type => {
  const { row, who } = viewed
  const has = (feature: Feature) => hasFeature(feature, who, row)
  return {
    ...presentSimple(viewed, url),
    _links: links(row.id, has, url),
    packages_enabled: row.packages_enabled,
    empty_repo: row.empty_repo,
    archived: row.archived,
    visibility: row.visibility,
    ...(row.owner === null ? {} : { owner: userReference(row.owner, url) }),
    resolve_outdated_diff_discussions: row.resolve_outdated_diff_discussions,
    repository_object_format: "sha1",
    issues_enabled: has("issues"),
    merge_requests_enabled: has("merge_requests"),
    wiki_enabled: has("wiki"),
    jobs_enabled: has("builds"),
    snippets_enabled: has("snippets"),
    container_registry_enabled: has("container_registry"),
    service_desk_enabled: row.service_desk_enabled,
    can_create_merge_request_in: can("create_merge_request_in", who, row),
    ...accessLevels(row),
    emails_disabled: !row.emails_enabled,
    emails_enabled: row.emails_enabled,
    shared_runners_enabled: row.shared_runners_enabled,
    lfs_enabled: row.lfs_enabled,
    creator_id: row.creator_id,
    ...forkFields(viewed, url),
    ...importFields(viewed),
    ...(has("issues") ? { open_issues_count: 0 } : {}),
    description_html: descriptionHtml(row.description),
    updated_at: isoMillis(row.updated_at),
    ...(can("admin_project", who, row) ? forMaintainers(row) : {}),
    ...mergeSettings(viewed)
  }
}

/** The level of notifications that everybody has: as set for all projects. */
const globalNotifications = 3

const access = (level: number | null) =>
  level === null || level === accessLevel.none ? null : { access_level: level, notification_level: globalNotifications }

export const presentWithPermissions = (viewed: Viewed, url: string): typeof ProjectWithPermissions.Type => ({
  ...presentFull(viewed, url),
  permissions: { project_access: access(viewed.row.own_level), group_access: access(viewed.row.group_level) }
})
