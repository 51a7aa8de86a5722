import { Schema, Struct } from "effect"
import { Visibility } from "../../kernel/visibility.ts"

// Storage format: add optional fields, never rename.

/** The users who may use a feature of a project: nobody, its members, everybody who may read it. `public` applies to pages only. */
export const FeatureAccess = Schema.Literals(["disabled", "private", "enabled"])
export type FeatureAccess = typeof FeatureAccess.Type
export const PagesAccess = Schema.Literals(["disabled", "private", "enabled", "public"])

const featureLevels = {
  issuesAccessLevel: FeatureAccess,
  repositoryAccessLevel: FeatureAccess,
  mergeRequestsAccessLevel: FeatureAccess,
  forkingAccessLevel: FeatureAccess,
  wikiAccessLevel: FeatureAccess,
  buildsAccessLevel: FeatureAccess,
  snippetsAccessLevel: FeatureAccess,
  pagesAccessLevel: PagesAccess,
  analyticsAccessLevel: FeatureAccess,
  containerRegistryAccessLevel: FeatureAccess,
  securityAndComplianceAccessLevel: FeatureAccess,
  releasesAccessLevel: FeatureAccess,
  environmentsAccessLevel: FeatureAccess,
  featureFlagsAccessLevel: FeatureAccess,
  infrastructureAccessLevel: FeatureAccess,
  monitorAccessLevel: FeatureAccess,
  modelExperimentsAccessLevel: FeatureAccess,
  modelRegistryAccessLevel: FeatureAccess
}

const text = Schema.NullOr(Schema.String)

const mergeSettings = {
  mergeMethod: Schema.Literals(["merge", "rebase_merge", "ff"]),
  squashOption: Schema.Literals(["never", "always", "default_on", "default_off"]),
  onlyAllowMergeIfPipelineSucceeds: Schema.Boolean,
  allowMergeOnSkippedPipeline: Schema.Boolean,
  onlyAllowMergeIfAllDiscussionsAreResolved: Schema.Boolean,
  removeSourceBranchAfterMerge: Schema.Boolean,
  printingMergeRequestLinkEnabled: Schema.Boolean,
  resolveOutdatedDiffDiscussions: Schema.Boolean,
  mrDefaultTargetSelf: Schema.Boolean,
  suggestionCommitMessage: text,
  mergeCommitTemplate: text,
  squashCommitTemplate: text,
  issueBranchTemplate: text
}

const pipelineSettings = {
  publicJobs: Schema.Boolean,
  sharedRunnersEnabled: Schema.Boolean,
  groupRunnersEnabled: Schema.Boolean,
  keepLatestArtifact: Schema.Boolean,
  ciConfigPath: text,
  ciDefaultGitDepth: Schema.NullOr(Schema.Int),
  ciForwardDeploymentEnabled: Schema.Boolean,
  ciForwardDeploymentRollbackAllowed: Schema.Boolean,
  ciJobTokenScopeEnabled: Schema.Boolean,
  ciSeparatedCaches: Schema.Boolean,
  ciAllowForkPipelinesToRunInParentProject: Schema.Boolean,
  ciPushRepositoryForJobTokenAllowed: Schema.Boolean,
  ciPipelineVariablesMinimumOverrideRole: Schema.Literals(["owner", "maintainer", "developer", "no_one_allowed"]),
  restrictUserDefinedVariables: Schema.Boolean,
  buildGitStrategy: Schema.Literals(["fetch", "clone"]),
  /** The timeout is in seconds. */
  buildTimeout: Schema.Int,
  autoCancelPendingPipelines: Schema.Literals(["enabled", "disabled"]),
  autoDevopsEnabled: Schema.Boolean,
  autoDevopsDeployStrategy: Schema.Literals(["continuous", "manual", "timed_incremental"])
}

/** The settings that maintainers change, without the path. */
export const ProjectSettings = Schema.Struct({
  name: Schema.String,
  description: text,
  visibility: Visibility,
  topics: Schema.Array(Schema.String),
  ...featureLevels,
  ...mergeSettings,
  ...pipelineSettings,
  packagesEnabled: Schema.Boolean,
  serviceDeskEnabled: Schema.Boolean,
  emailsEnabled: Schema.Boolean,
  lfsEnabled: Schema.Boolean,
  requestAccessEnabled: Schema.Boolean,
  autocloseReferencedIssues: Schema.Boolean,
  enforceAuthChecksOnUploads: Schema.Boolean,
  warnAboutPotentiallyUnwantedCharacters: Schema.Boolean
})
export type ProjectSettings = typeof ProjectSettings.Type

/** Some settings with their new values. */
export const SettingsChanges = ProjectSettings.mapFields(Struct.map(Schema.optionalKey))
export type SettingsChanges = typeof SettingsChanges.Type

/** The default settings of a project with this name. */
export const defaultSettings = (name: string): ProjectSettings => ({
  name,
  description: null,
  visibility: "private",
  topics: [],
  issuesAccessLevel: "enabled",
  repositoryAccessLevel: "enabled",
  mergeRequestsAccessLevel: "enabled",
  forkingAccessLevel: "enabled",
  wikiAccessLevel: "enabled",
  buildsAccessLevel: "enabled",
  snippetsAccessLevel: "enabled",
  pagesAccessLevel: "private",
  analyticsAccessLevel: "enabled",
  containerRegistryAccessLevel: "enabled",
  securityAndComplianceAccessLevel: "private",
  releasesAccessLevel: "enabled",
  environmentsAccessLevel: "enabled",
  featureFlagsAccessLevel: "enabled",
  infrastructureAccessLevel: "enabled",
  monitorAccessLevel: "enabled",
  modelExperimentsAccessLevel: "enabled",
  modelRegistryAccessLevel: "enabled",
  mergeMethod: "merge",
  squashOption: "default_off",
  onlyAllowMergeIfPipelineSucceeds: false,
  allowMergeOnSkippedPipeline: false,
  onlyAllowMergeIfAllDiscussionsAreResolved: false,
  removeSourceBranchAfterMerge: true,
  printingMergeRequestLinkEnabled: true,
  resolveOutdatedDiffDiscussions: false,
  mrDefaultTargetSelf: false,
  suggestionCommitMessage: null,
  mergeCommitTemplate: null,
  squashCommitTemplate: null,
  issueBranchTemplate: null,
  publicJobs: true,
  sharedRunnersEnabled: true,
  groupRunnersEnabled: true,
  keepLatestArtifact: true,
  ciConfigPath: null,
  ciDefaultGitDepth: 20,
  ciForwardDeploymentEnabled: true,
  ciForwardDeploymentRollbackAllowed: true,
  ciJobTokenScopeEnabled: false,
  ciSeparatedCaches: true,
  ciAllowForkPipelinesToRunInParentProject: true,
  ciPushRepositoryForJobTokenAllowed: false,
  ciPipelineVariablesMinimumOverrideRole: "maintainer",
  restrictUserDefinedVariables: false,
  buildGitStrategy: "fetch",
  buildTimeout: 3600,
  autoCancelPendingPipelines: "enabled",
  autoDevopsEnabled: false,
  autoDevopsDeployStrategy: "continuous",
  packagesEnabled: true,
  serviceDeskEnabled: false,
  emailsEnabled: true,
  lfsEnabled: true,
  requestAccessEnabled: true,
  autocloseReferencedIssues: true,
  enforceAuthChecksOnUploads: true,
  warnAboutPotentiallyUnwantedCharacters: true
})
