import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import { camelCased } from "../../kernel/letterCase.ts"
import { innerPathErrors } from "../../kernel/pathErrors.ts"
import { laterParameters, settingsParameters } from "./parameters.ts"
import type { SettingsChanges } from "./settings.ts"

type SettingsParameters = Decoded<typeof settingsParameters & typeof laterParameters>

/** The settings that null clears; for others null counts as absent. */
const clearable = new Set([
  "description",
  "ci_config_path",
  "ci_default_git_depth",
  "suggestion_commit_message",
  "merge_commit_template",
  "squash_commit_template",
  "issue_branch_template"
])

/** The parameters that are aliases of a setting. */
const aliases = new Set([
  "issues_enabled",
  "merge_requests_enabled",
  "wiki_enabled",
  "jobs_enabled",
  "snippets_enabled",
  "container_registry_enabled",
  "emails_disabled",
  "public_builds",
  "tag_list",
  "topics"
])

const names = new Set([...Object.keys(settingsParameters), ...Object.keys(laterParameters)].filter((name) => !aliases.has(name)))

const levelOf = (enabled: boolean | null | undefined): "enabled" | "disabled" | undefined => {
  if (enabled === null || enabled === undefined) return undefined
  return enabled ? "enabled" : "disabled"
}

/** The settings from deprecated parameters. */
const deprecatedSettings = (parameters: SettingsParameters): SettingsChanges =>
  defined({
    issuesAccessLevel: levelOf(parameters.issues_enabled),
    mergeRequestsAccessLevel: levelOf(parameters.merge_requests_enabled),
    wikiAccessLevel: levelOf(parameters.wiki_enabled),
    buildsAccessLevel: levelOf(parameters.jobs_enabled),
    snippetsAccessLevel: levelOf(parameters.snippets_enabled),
    containerRegistryAccessLevel: levelOf(parameters.container_registry_enabled),
    emailsEnabled: typeof parameters.emails_disabled === "boolean" ? !parameters.emails_disabled : undefined,
    publicJobs: parameters.public_builds ?? undefined
  })

/** A switch of old: off, everybody who runs pipelines may override variables. */
const overrideRoleOf = (isRestricted: boolean | null | undefined): SettingsChanges =>
  isRestricted === false ? { ciPipelineVariablesMinimumOverrideRole: "developer" } : {}

/** Each topic once, without regard to case, as it was written first. */
const distinct = (topics: ReadonlyArray<string>): ReadonlyArray<string> => {
  const byFolded = Map.groupBy(
    topics.filter((topic) => topic !== ""),
    (topic) => topic.toLowerCase()
  )
  return [...byFolded.values()].flatMap(([first]) => first ?? [])
}

const topicsOf = ({ tag_list, topics }: SettingsParameters): SettingsChanges => {
  const sent = topics ?? tag_list
  return defined({ topics: sent ? distinct(sent) : undefined })
}

/** The settings from the parameters. A setting wins over a deprecated name for it. */
export const settingsOf = (parameters: SettingsParameters): SettingsChanges => {
  const entries = Object.entries(parameters).filter(([name, value]) => names.has(name) && (value !== null || clearable.has(name)))
  return {
    ...deprecatedSettings(parameters),
    ...overrideRoleOf(parameters.restrict_user_defined_variables),
    ...camelCased(Object.fromEntries(entries)),
    ...topicsOf(parameters)
  }
}

/** Turns `Foo Bär!` into `foo-bar`. */
const parameterized = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-zA-Z0-9\-_]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase()

/** The name and path of a new project: each is derived from the other where only one is sent. A blank path is sent, and will be refused. */
export const namesOf = ({ name, path }: { readonly name?: string | null; readonly path?: string | null }) => {
  if (path !== undefined) return { name: name || (path ?? ""), path: path ?? "" }
  const given = name ?? ""
  return { name: given, path: innerPathErrors(given).length === 0 ? given : parameterized(given) }
}
