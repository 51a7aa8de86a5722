import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import type { Visibility } from "../../kernel/visibility.ts"
import { settingsFaults } from "../../projects/faults.ts"
import type { FeatureAccess, SettingsChanges } from "../../projects/settings/settings.ts"
import type { ExportFolder } from "./files.ts"
import { AutoDevops, CiCdSettings, ProjectFeature, Self } from "./shapes/project.ts"
import { judgedBy } from "./shapes/values.ts"

/** The value where there is one. */
const told = <T>(value: T | null): T | undefined => value ?? undefined

const accessOf = (level: number | null): FeatureAccess | undefined => {
  if (level === null) return undefined
  return level === 0 ? "disabled" : level === 10 ? "private" : "enabled"
}

const pagesAccessOf = (level: number | null): SettingsChanges["pagesAccessLevel"] => (level === 30 ? "public" : accessOf(level))

/** Parts that are one here have the level of the first of them. */
const featureSettings = (feature: ProjectFeature): SettingsChanges =>
  defined({
    issuesAccessLevel: accessOf(feature.issues_access_level),
    repositoryAccessLevel: accessOf(feature.repository_access_level),
    mergeRequestsAccessLevel: accessOf(feature.merge_requests_access_level),
    forkingAccessLevel: accessOf(feature.forking_access_level),
    wikiAccessLevel: accessOf(feature.wiki_access_level),
    buildsAccessLevel: accessOf(feature.builds_access_level),
    snippetsAccessLevel: accessOf(feature.snippets_access_level),
    pagesAccessLevel: pagesAccessOf(feature.pages_access_level),
    analyticsAccessLevel: accessOf(feature.analytics_access_level),
    containerRegistryAccessLevel: accessOf(feature.container_registry_access_level),
    securityAndComplianceAccessLevel: accessOf(feature.security_and_compliance_access_level),
    releasesAccessLevel: accessOf(feature.releases_access_level),
    environmentsAccessLevel: accessOf(feature.environments_access_level),
    featureFlagsAccessLevel: accessOf(feature.feature_flags_access_level),
    infrastructureAccessLevel: accessOf(feature.infrastructure_access_level),
    monitorAccessLevel: accessOf(feature.monitor_access_level),
    modelExperimentsAccessLevel: accessOf(feature.model_experiments_access_level),
    modelRegistryAccessLevel: accessOf(feature.model_registry_access_level),
    packagesEnabled: feature.package_registry_access_level === null ? undefined : feature.package_registry_access_level > 0
  })

const visibilities: Readonly<Record<number, Visibility>> = { 0: "private", 10: "internal", 20: "public" }

const methodOf = ({
  merge_requests_ff_only_enabled: isFastForward,
  merge_requests_rebase_enabled: isRebase
}: Self): SettingsChanges["mergeMethod"] => {
  if (isFastForward === true) return "ff"
  if (isRebase === true) return "rebase_merge"
  return isFastForward === null && isRebase === null ? undefined : "merge"
}

const strategyOf = ({ build_allow_git_fetch: fetches }: Self): SettingsChanges["buildGitStrategy"] =>
  fetches === false ? "clone" : "fetch"

const ownSettings = (self: Self): SettingsChanges => ({
  ...defined({
    visibility: visibilities[self.visibility_level ?? -1],
    mergeMethod: methodOf(self),
    squashOption: told(self.squash_option),
    onlyAllowMergeIfPipelineSucceeds: told(self.only_allow_merge_if_pipeline_succeeds),
    allowMergeOnSkippedPipeline: told(self.allow_merge_on_skipped_pipeline),
    onlyAllowMergeIfAllDiscussionsAreResolved: told(self.only_allow_merge_if_all_discussions_are_resolved),
    removeSourceBranchAfterMerge: told(self.remove_source_branch_after_merge),
    printingMergeRequestLinkEnabled: told(self.printing_merge_request_link_enabled),
    resolveOutdatedDiffDiscussions: told(self.resolve_outdated_diff_discussions),
    publicJobs: told(self.public_builds),
    sharedRunnersEnabled: told(self.shared_runners_enabled),
    buildGitStrategy: strategyOf(self),
    buildTimeout: told(self.build_timeout),
    autoCancelPendingPipelines: told(self.auto_cancel_pending_pipelines),
    serviceDeskEnabled: told(self.service_desk_enabled),
    requestAccessEnabled: told(self.request_access_enabled),
    autocloseReferencedIssues: told(self.autoclose_referenced_issues)
  }),
  description: self.description,
  suggestionCommitMessage: self.suggestion_commit_message,
  mergeCommitTemplate: self.merge_commit_template,
  squashCommitTemplate: self.squash_commit_template
})

const ciSettings = ({ default_git_depth, group_runners_enabled }: CiCdSettings): SettingsChanges => ({
  groupRunnersEnabled: group_runners_enabled,
  ciDefaultGitDepth: default_git_depth
})

const devopsSettings = ({ deploy_strategy, enabled }: AutoDevops): SettingsChanges =>
  defined({ autoDevopsEnabled: enabled ?? undefined, autoDevopsDeployStrategy: told(deploy_strategy) })

const depth = { ci_default_git_depth: "default_git_depth" }

/** What an export tells of the project itself. */
export interface ExportedProject {
  readonly settings: SettingsChanges
  readonly isArchived: boolean
  /** Whether its pages are only for requests with encryption; null where nobody has said so. */
  readonly isPagesHttpsOnly: boolean | null
}

/** Where both sides have an attribute, that of the export. */
export const readProject = Effect.fn("cli.readExportedProject")(function* (from: ExportFolder) {
  const feature = yield* from.value("project_feature", ProjectFeature)
  const self = yield* from.value("self", Self.check(judgedBy((self) => settingsFaults(ownSettings(self), []))))
  const ciCd = yield* from.value(
    "ci_cd_settings",
    CiCdSettings.check(judgedBy((ciCd) => settingsFaults(ciSettings(ciCd), []), depth))
  )
  const autoDevops = yield* from.value("auto_devops", AutoDevops)
  const project: ExportedProject = {
    settings: {
      ...(feature === null ? {} : featureSettings(feature)),
      ...(self === null ? {} : ownSettings(self)),
      ...(ciCd === null ? {} : ciSettings(ciCd)),
      ...(autoDevops === null ? {} : devopsSettings(autoDevops))
    },
    isArchived: self?.archived === true,
    isPagesHttpsOnly: self?.pages_https_only ?? null
  }
  return project
})
