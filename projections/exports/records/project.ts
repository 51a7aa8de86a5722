import { array, nothing, timeOf, timeUnder } from "./json.ts"
import { lines, type Records, value } from "./Records.ts"

const from = "from rm_projects.projects p where p.id = $1"

const autoDevops = `select ${timeOf("p", "created_at")}, ${timeOf("p", "updated_at")}, p.id as project_id, p.auto_devops_enabled as enabled,
  p.auto_devops_deploy_strategy as deploy_strategy ${from}`

const level = (feature: string, name = feature): string =>
  `case p.${feature}_access_level when 'disabled' then 0 when 'private' then 10 when 'enabled' then 20 else 30 end as ${name}_access_level`

const levels = (...features: ReadonlyArray<string>): string => features.map((feature) => level(feature)).join(", ")

/** Parts of the project that the product shows as one have one level. */
const projectFeature = `select p.id as project_id, ${levels("merge_requests", "issues", "wiki", "snippets", "builds")},
  ${timeOf("p", "created_at")}, ${timeOf("p", "updated_at")}, ${levels("repository", "pages", "forking")},
  ${level("monitor", "metrics_dashboard")}, ${level("monitor", "operations")},
  ${levels("monitor", "analytics", "security_and_compliance", "container_registry")},
  case when p.packages_enabled then 20 else 0 end as package_registry_access_level,
  ${levels("environments", "feature_flags", "releases", "infrastructure", "model_experiments", "model_registry")} ${from}`

const ciCdSettings = `select p.group_runners_enabled, ${nothing("runner_token_expiration_interval")},
  p.ci_default_git_depth as default_git_depth ${from}`

const levelNumber = "case p.visibility when 'private' then 0 when 'internal' then 10 else 20 end as visibility_level"

const attributes = `select p.description, ${levelNumber}, p.archived, ${nothing("merge_requests_template")},
  p.merge_method = 'rebase_merge' as merge_requests_rebase_enabled, p.merge_method = 'ff' as merge_requests_ff_only_enabled,
  ${nothing("approvals_before_merge", "issues_template")}, p.build_timeout, p.build_git_strategy = 'fetch' as build_allow_git_fetch, p.public_jobs as public_builds,
  false as pending_delete, p.only_allow_merge_if_pipeline_succeeds, p.only_allow_merge_if_all_discussions_are_resolved,
  p.remove_source_branch_after_merge, p.request_access_enabled, p.shared_runners_enabled, p.suggestion_commit_message,
  p.auto_cancel_pending_pipelines, p.autoclose_referenced_issues, false as has_external_issue_tracker, false as has_external_wiki,
  g.https_only as pages_https_only, p.printing_merge_request_link_enabled, p.resolve_outdated_diff_discussions,
  ${nothing("external_authorization_classification_label", "jobs_cache_index", "last_repository_check_failed", "delete_error")},
  ${nothing("reset_approvals_on_push", "disable_overriding_approvers_per_merge_request", "merge_requests_author_approval")},
  ${nothing("merge_requests_disable_committers_approval", "require_password_to_approve")},
  p.service_desk_enabled, p.allow_merge_on_skipped_pipeline, p.squash_option, p.merge_commit_template, p.squash_commit_template
  from rm_projects.projects p left join rm_pages.settings g on g.project_id = p.id where p.id = $1`

/** Who may: the time of a level is that of its protection. */
const accessLevels = (column: string): string =>
  array(`select (_g->>'access_level')::int as access_level, ${timeUnder("created_at", "r", "updated_at")}, ${timeOf("r", "updated_at")},
    (_g->>'user_id')::bigint as user_id, (_g->>'group_id')::bigint as group_id
    from jsonb_array_elements(r.${column}) with ordinality _e(_g, place) order by _e.place`)

const refs = (kind: "branch" | "tag") => ({
  from: `rm_projects.protected_refs r where r.project_id = $1 and r.kind = '${kind}'`,
  order: "r.id"
})

const times = `${timeUnder("created_at", "r", "updated_at")}, ${timeOf("r", "updated_at")}`

const protectedBranches = lines(
  `r.project_id, r.name, ${times}, false as code_owner_approval_required, r.allow_force_push,
  ${accessLevels("merge_access_levels")} as merge_access_levels, ${accessLevels("push_access_levels")} as push_access_levels`,
  refs("branch")
)

const protectedTags = lines(
  `r.project_id, r.name, ${times}, ${accessLevels("push_access_levels")} as create_access_levels`,
  refs("tag")
)

export const project: ReadonlyArray<Records> = [
  { relation: "auto_devops", statements: [value(autoDevops)] },
  { relation: "protected_branches", statements: [protectedBranches] },
  { relation: "protected_tags", statements: [protectedTags] },
  { relation: "project_feature", statements: [value(projectFeature)] },
  { relation: "ci_cd_settings", statements: [value(ciCdSettings)] },
  { relation: "self", statements: [value(attributes)] }
]
