import { isBranchName } from "../git/refs/refNames.ts"
import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { innerPathErrors } from "../kernel/pathErrors.ts"
import { isMoreVisible, type Visibility } from "../kernel/visibility.ts"
import type { Ceiling, Create } from "./commands.ts"
import type { SettingsChanges } from "./settings/settings.ts"

/** Attributes have the names of the interface. */
export type ProjectFault = Fault<
  | "name"
  | "path"
  | "description"
  | "visibility_level"
  | "topic_list"
  | "default_branch"
  | "base"
  | "ci_config_path"
  | "ci_default_git_depth"
  | "build_timeout"
  | "suggestion_commit_message"
  | "merge_commit_template"
  | "squash_commit_template"
  | "issue_branch_template"
>

const [maxTextLength, maxDescriptionLength, maxTemplateLength] = [255, 2000, 500]
const [minTimeoutSeconds, maxTimeoutSeconds] = [600, 2_592_000]
const maxCloneDepth = 1000
const tooLong = (maximum: number): string => `is too long (maximum is ${maximum} characters)`

const emoji = String.raw`\p{Extended_Pictographic}`
const nameFormat = new RegExp(String.raw`^[\p{L}\p{N}_${emoji}][\p{L}\p{N}\p{M}\p{Pd}_\u200d\ufe0f +.${emoji}]*$`, "u")
const nameFormatText =
  "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'."

const nameFaults = (name: string): ReadonlyArray<string> => {
  if (name.trim() === "") return ["can't be blank"]
  return [
    ...(isLongerThan(name, maxTextLength) ? [tooLong(maxTextLength)] : []),
    ...(nameFormat.test(name) ? [] : [nameFormatText])
  ]
}

const visibilityFaults = (requested: Visibility, ceilings: ReadonlyArray<Ceiling>): ReadonlyArray<string> =>
  ceilings
    .filter(({ visibility }) => isMoreVisible(requested, visibility))
    .map(({ of, visibility }) =>
      of === "group"
        ? `${requested} is not allowed in a ${visibility} group.`
        : `${requested} is not allowed since the fork source project is ${visibility}.`
    )

const rangeFaults = (value: number | null | undefined, min: number, max: number): ReadonlyArray<string> => {
  if (value === undefined || value === null) return []
  if (value < min) return [`must be greater than or equal to ${min}`]
  return value > max ? [`must be less than or equal to ${max}`] : []
}

const timeoutFaults = (seconds: number | undefined): ReadonlyArray<string> =>
  seconds === undefined || (seconds >= minTimeoutSeconds && seconds <= maxTimeoutSeconds)
    ? []
    : ["needs to be between 10 minutes and 1 month"]

const lengthFaults = (text: string | null | undefined, maximum: number): ReadonlyArray<string> =>
  isLongerThan(text ?? "", maximum) ? [tooLong(maximum)] : []

const topicFaults = (topics: ReadonlyArray<string>): ReadonlyArray<string> =>
  topics.some((topic) => isLongerThan(topic, maxTextLength)) ? [tooLong(maxTextLength)] : []

const configPathFaults = (path: string | null | undefined): ReadonlyArray<string> => [
  ...((path ?? "").split(/[/@]/).includes("..") ? ["must not contain '..'"] : []),
  ...lengthFaults(path, maxTextLength)
]

/** Everything that is wrong with the settings that are there. */
export const settingsFaults = (settings: SettingsChanges, ceilings: ReadonlyArray<Ceiling>): ReadonlyArray<ProjectFault> => [
  ...faultsOf("name", settings.name === undefined ? [] : nameFaults(settings.name)),
  ...faultsOf("description", lengthFaults(settings.description, maxDescriptionLength)),
  ...faultsOf("visibility_level", settings.visibility === undefined ? [] : visibilityFaults(settings.visibility, ceilings)),
  ...faultsOf("topic_list", topicFaults(settings.topics ?? [])),
  ...faultsOf("ci_config_path", configPathFaults(settings.ciConfigPath)),
  ...faultsOf("ci_default_git_depth", rangeFaults(settings.ciDefaultGitDepth, 0, maxCloneDepth)),
  ...faultsOf("build_timeout", timeoutFaults(settings.buildTimeout)),
  ...faultsOf("suggestion_commit_message", lengthFaults(settings.suggestionCommitMessage, maxTextLength)),
  ...faultsOf("merge_commit_template", lengthFaults(settings.mergeCommitTemplate, maxTemplateLength)),
  ...faultsOf("squash_commit_template", lengthFaults(settings.squashCommitTemplate, maxTemplateLength)),
  ...faultsOf("issue_branch_template", lengthFaults(settings.issueBranchTemplate, maxTextLength))
]

/** Everything that is wrong with the last segment of a project's path. */
export const pathFaults = (path: string): ReadonlyArray<ProjectFault> => faultsOf("path", innerPathErrors(path))

export const defaultBranchFaults = (branch: string | null | undefined): ReadonlyArray<ProjectFault> =>
  branch === null || branch === undefined || isBranchName(branch) ? [] : faultsOf("default_branch", ["is invalid"])

/** Everything that is wrong with a project that is to be created. */
export const creationFaults = ({
  ceilings,
  defaultBranch,
  path,
  settings
}: Pick<Create, "ceilings" | "defaultBranch" | "path" | "settings">): ReadonlyArray<ProjectFault> => [
  ...settingsFaults(settings, ceilings),
  ...pathFaults(path),
  ...defaultBranchFaults(defaultBranch)
]
