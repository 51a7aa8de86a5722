import type { Caller } from "../../http/access/Caller.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import type { Presented } from "../../http/answer/Presented.ts"
import { namespaceReference } from "../../http/answer/references.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { accessLevel } from "../../members/levels.ts"
import { can, type Feature, hasFeature } from "../abilities.ts"
import { principalOf } from "../Projects.ts"
import type { ProjectDetails, SimpleProjectRow } from "../Queries.ts"
import type { RepositoryFigures } from "../repository/figures.ts"
import { initialBranch } from "../repository/initialBranch.ts"
import { fileUrl, presentStatistics } from "../repository/present.ts"
import type { FoundLicense } from "../repository/rootFiles.ts"
import type { FullProject, ProjectWithPermissions, PublicProject, SimpleProject } from "../shapes.ts"

/** The viewer of projects, with the URL of the service and its host. */
export interface Viewer {
  readonly caller: Caller | undefined
  readonly url: string
  readonly host: string
}

export const viewerFrom = (caller: Caller | undefined, externalUrl: string): Viewer => ({
  caller,
  url: externalUrl,
  host: new URL(externalUrl).hostname
})

/** What is shown of a project besides its row. */
export interface Extras {
  readonly sharedWith?: (typeof FullProject.Type)["shared_with_groups"] | undefined
  /** The project that it is a fork of. */
  readonly source?: SimpleProjectRow | undefined
  /** The licence, if the request wants it; null for none. */
  readonly license?: FoundLicense | null | undefined
  /** The statistics, if the request wants them. */
  readonly figures?: RepositoryFigures | undefined
}

/** The same of a project in a full form. */
export interface FullExtras extends Extras {
  readonly descriptionHtml: string
}

/** The address for SSH, as clients expect one although SSH is not served. */
const sshUrl = (path: string, host: string): string => `git@${host}:${path}.git`

/** The fields that anonymous callers see. Gap: a README is shown to whoever may read code, as the default branch is. */
export const presentSimple = (
  row: SimpleProjectRow,
  { license }: Extras,
  { caller, host, url }: Viewer
): Presented<typeof SimpleProject.Type> => {
  const mayReadCode = can("read_code", principalOf(caller, row.role), row)
  return {
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.name_with_namespace,
    path: row.path,
    path_with_namespace: row.path_with_namespace,
    created_at: isoMillis(row.created_at),
    default_branch: mayReadCode ? (row.default_branch ?? initialBranch) : undefined,
    tag_list: row.topics,
    topics: row.topics,
    ssh_url_to_repo: sshUrl(row.path_with_namespace, host),
    http_url_to_repo: `${url}/${row.path_with_namespace}.git`,
    web_url: `${url}/${row.path_with_namespace}`,
    readme_url: mayReadCode && row.readme !== null ? fileUrl(row, row.readme, url) : null,
    forks_count: row.forks_count,
    license_url: license && fileUrl(row, license.file, url),
    license: license === null ? null : license?.license,
    avatar_url: null,
    star_count: row.star_count,
    last_activity_at: isoMillis(row.last_activity_at),
    namespace: namespaceReference(row.namespace, url)
  }
}

/** What anonymous callers see of a project that is shown alone. */
export const presentPublic = (
  row: SimpleProjectRow,
  { source, ...extras }: Extras,
  viewer: Viewer
): Presented<typeof PublicProject.Type> =>
  Object.assign(presentSimple(row, extras, viewer), { forked_from_project: source && presentSimple(source, {}, viewer) })

const links = (id: number, has: (feature: Feature) => boolean, url: string) => {
  const self = `${url}/api/v4/projects/${id}`
  return {
    self,
    issues: has("issues") ? `${self}/issues` : undefined,
    merge_requests: has("merge_requests") ? `${self}/merge_requests` : undefined,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`
  }
}

/** A fork is finished when it is answered. */
const importStatus = ({ forked_from_id, import_status }: ProjectDetails): (typeof FullProject.Type)["import_status"] =>
  import_status ?? (forked_from_id === null ? "none" : "finished")

/**
 * What signed-in callers see. Gap: there are no runners, so no token registers one. One object with all fields, of which those that
 * are not for the caller are undefined, is made in a third of the time that many small ones take, and in half of it where the simple form is
 * copied field by field: an object that begins with another one grows with each field behind it.
 */
export const presentFull = (row: ProjectDetails, extras: FullExtras, viewer: Viewer): Presented<typeof FullProject.Type> => {
  const { caller, url } = viewer
  const principal = principalOf(caller, row.role)
  const has = (feature: Feature) => hasFeature(feature, principal, row)
  const hasIssues = has("issues")
  const confidentialIssues = can("read_confidential_issues", principal, row) ? row.open_confidential_issues : 0
  const isMaintainer = can("admin_project", principal, row)
  const forMaintainers: Partial<ProjectDetails> = isMaintainer ? row : {}
  const forCodeReaders: Partial<ProjectDetails> = can("read_code", principal, row) ? row : {}
  const { figures, sharedWith = [], source } = extras
  const simple = presentSimple(row, extras, viewer)
  return {
    id: simple.id,
    description: simple.description,
    name: simple.name,
    name_with_namespace: simple.name_with_namespace,
    path: simple.path,
    path_with_namespace: simple.path_with_namespace,
    created_at: simple.created_at,
    default_branch: simple.default_branch,
    tag_list: simple.tag_list,
    topics: simple.topics,
    ssh_url_to_repo: simple.ssh_url_to_repo,
    http_url_to_repo: simple.http_url_to_repo,
    web_url: simple.web_url,
    readme_url: simple.readme_url,
    forks_count: simple.forks_count,
    license_url: simple.license_url,
    license: simple.license,
    avatar_url: simple.avatar_url,
    star_count: simple.star_count,
    last_activity_at: simple.last_activity_at,
    namespace: simple.namespace,
    _links: links(row.id, has, url),
    packages_enabled: row.packages_enabled,
    empty_repo: row.empty_repo,
    archived: row.archived,
    visibility: row.visibility,
    owner: row.owner === null ? undefined : userReference(row.owner, url),
    resolve_outdated_diff_discussions: row.resolve_outdated_diff_discussions,
    repository_object_format: "sha1",
    issues_enabled: hasIssues,
    merge_requests_enabled: has("merge_requests"),
    wiki_enabled: has("wiki"),
    jobs_enabled: has("builds"),
    snippets_enabled: has("snippets"),
    container_registry_enabled: has("container_registry"),
    service_desk_enabled: row.service_desk_enabled,
    can_create_merge_request_in: can("create_merge_request_in", principal, row),
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
    model_registry_access_level: row.model_registry_access_level,
    emails_disabled: !row.emails_enabled,
    emails_enabled: row.emails_enabled,
    shared_runners_enabled: row.shared_runners_enabled,
    lfs_enabled: false,
    creator_id: row.creator_id,
    mr_default_target_self: row.forked_from_id === null ? undefined : row.mr_default_target_self,
    forked_from_project: source && presentSimple(source, {}, viewer),
    import_url: forMaintainers.import_url,
    import_type: isMaintainer ? (row.import_status === null ? null : "git") : undefined,
    import_status: importStatus(row),
    import_error: forMaintainers.import_error,
    open_issues_count: hasIssues ? row.open_issues + confidentialIssues : undefined,
    description_html: extras.descriptionHtml,
    updated_at: isoMillis(row.updated_at),
    ci_default_git_depth: forMaintainers.ci_default_git_depth,
    ci_forward_deployment_enabled: forMaintainers.ci_forward_deployment_enabled,
    ci_forward_deployment_rollback_allowed: forMaintainers.ci_forward_deployment_rollback_allowed,
    ci_job_token_scope_enabled: forMaintainers.ci_job_token_scope_enabled,
    ci_separated_caches: forMaintainers.ci_separated_caches,
    ci_allow_fork_pipelines_to_run_in_parent_project: forMaintainers.ci_allow_fork_pipelines_to_run_in_parent_project,
    build_git_strategy: forMaintainers.build_git_strategy,
    keep_latest_artifact: forMaintainers.keep_latest_artifact,
    restrict_user_defined_variables: forMaintainers.restrict_user_defined_variables,
    ci_pipeline_variables_minimum_override_role: forMaintainers.ci_pipeline_variables_minimum_override_role,
    runners_token: isMaintainer ? null : undefined,
    runner_token_expiration_interval: isMaintainer ? null : undefined,
    group_runners_enabled: forMaintainers.group_runners_enabled,
    auto_cancel_pending_pipelines: forMaintainers.auto_cancel_pending_pipelines,
    build_timeout: forMaintainers.build_timeout,
    auto_devops_enabled: forMaintainers.auto_devops_enabled,
    auto_devops_deploy_strategy: forMaintainers.auto_devops_deploy_strategy,
    ci_push_repository_for_job_token_allowed: forMaintainers.ci_push_repository_for_job_token_allowed,
    ci_config_path: forCodeReaders.ci_config_path,
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
    suggestion_commit_message: forCodeReaders.suggestion_commit_message,
    merge_commit_template: forCodeReaders.merge_commit_template,
    squash_commit_template: forCodeReaders.squash_commit_template,
    issue_branch_template: forCodeReaders.issue_branch_template,
    statistics: figures && presentStatistics(figures),
    warn_about_potentially_unwanted_characters: row.warn_about_potentially_unwanted_characters,
    autoclose_referenced_issues: row.autoclose_referenced_issues
  }
}

/** The level of notifications that everybody has: as set for all projects. */
const globalNotifications = 3

const access = (level: number | null) =>
  level === null || level === accessLevel.none ? null : { access_level: level, notification_level: globalNotifications }

export const presentWithPermissions = (
  row: ProjectDetails,
  extras: FullExtras,
  viewer: Viewer
): Presented<typeof ProjectWithPermissions.Type> =>
  Object.assign(presentFull(row, extras, viewer), {
    permissions: { project_access: access(row.own_level), group_access: access(row.group_level) }
  })
