import { isBranchName } from "../git/refs/refNames.ts"
import { isLongerThan } from "../kernel/characters.ts"
import { innerPathErrors } from "../kernel/pathErrors.ts"
import type { Ceiling } from "./commands.ts"
import type { Fault } from "./errors.ts"
import type { SettingsChanges, Visibility } from "./settings/settings.ts"

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

const ranks: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 }

/** The visibility that shows less. */
export const lesser = (one: Visibility, other: Visibility): Visibility => (ranks[one] < ranks[other] ? one : other)

const visibilityFaults = (wished: Visibility, ceilings: ReadonlyArray<Ceiling>): ReadonlyArray<string> =>
  ceilings
    .filter(({ visibility }) => ranks[wished] > ranks[visibility])
    .map(({ of, visibility }) =>
      of === "group"
        ? `${wished} is not allowed in a ${visibility} group.`
        : `${wished} is not allowed since the fork source project is ${visibility}.`
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

const of = (attribute: Fault["attribute"], texts: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  texts.map((text) => ({ attribute, text }))

/** Everything that is wrong with the settings that are there. */
export const settingsFaults = (settings: SettingsChanges, ceilings: ReadonlyArray<Ceiling>): ReadonlyArray<Fault> => [
  ...of("name", settings.name === undefined ? [] : nameFaults(settings.name)),
  ...of("description", lengthFaults(settings.description, maxDescriptionLength)),
  ...of("visibility_level", settings.visibility === undefined ? [] : visibilityFaults(settings.visibility, ceilings)),
  ...of("topic_list", topicFaults(settings.topics ?? [])),
  ...of("ci_config_path", configPathFaults(settings.ciConfigPath)),
  ...of("ci_default_git_depth", rangeFaults(settings.ciDefaultGitDepth, 0, maxCloneDepth)),
  ...of("build_timeout", timeoutFaults(settings.buildTimeout)),
  ...of("suggestion_commit_message", lengthFaults(settings.suggestionCommitMessage, maxTextLength)),
  ...of("merge_commit_template", lengthFaults(settings.mergeCommitTemplate, maxTemplateLength)),
  ...of("squash_commit_template", lengthFaults(settings.squashCommitTemplate, maxTemplateLength)),
  ...of("issue_branch_template", lengthFaults(settings.issueBranchTemplate, maxTextLength))
]

/** Everything that is wrong with the last segment of a project's path. */
export const pathFaults = (path: string): ReadonlyArray<Fault> => of("path", innerPathErrors(path))

export const defaultBranchFaults = (branch: string | null | undefined): ReadonlyArray<Fault> =>
  branch === null || branch === undefined || isBranchName(branch) ? [] : of("default_branch", ["is invalid"])
