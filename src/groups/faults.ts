import { isLongerThan } from "../kernel/characters.ts"
import { innerPathErrors, topLevelPathErrors } from "../kernel/pathErrors.ts"
import type { Surroundings } from "./commands.ts"
import type { Fault } from "./errors.ts"
import type { AttributeChanges, Visibility } from "./events.ts"

const [maxNameLength, maxDescriptionLength, maxBranchLength] = [255, 500, 255]
const tooLong = (maximum: number): string => `is too long (maximum is ${maximum} characters)`

export const pathIsTaken: Fault = { attribute: "path", text: "has already been taken" }

const isEmoji = String.raw`\p{Extended_Pictographic}`
const nameFormat = new RegExp(String.raw`^[\p{L}\p{N}_${isEmoji}][\p{L}\p{N}\p{M}_\u200d ().+\-${isEmoji}]*$`, "u")

const nameFaults = (name: string): ReadonlyArray<string> => {
  if (name.trim() === "") return ["can't be blank"]
  return [
    ...(isLongerThan(name, maxNameLength) ? [tooLong(maxNameLength)] : []),
    // Gap: the text is not shown; it is the reference's for names of groups.
    ...(nameFormat.test(name)
      ? []
      : [
          "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'."
        ])
  ]
}

const ranks: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 }

/** Whether the first shows more than the second. */
export const isMoreVisible = (one: Visibility, other: Visibility): boolean => ranks[one] > ranks[other]

const visibilityFaults = (wished: Visibility, around: Surroundings): ReadonlyArray<string> => {
  const { parentVisibility, projectVisibility, subgroupVisibility } = around
  return [
    ...(parentVisibility !== null && isMoreVisible(wished, parentVisibility)
      ? [`${wished} is not allowed since the parent group has a ${parentVisibility} visibility.`]
      : []),
    ...(projectVisibility !== null && isMoreVisible(projectVisibility, wished)
      ? [`${wished} is not allowed since this group contains projects with higher visibility.`]
      : []),
    ...(subgroupVisibility !== null && isMoreVisible(subgroupVisibility, wished)
      ? [`${wished} is not allowed since there are sub-groups with higher visibility.`]
      : [])
  ]
}

const gracePeriodFaults = (hours: number): ReadonlyArray<string> =>
  hours >= 0 && hours <= 2_147_483_647 ? [] : ["must be greater than or equal to 0"]

const of = (attribute: Fault["attribute"], texts: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  texts.map((text) => ({ attribute, text }))

/** Everything that is wrong with the attributes that are there. */
export const attributeFaults = (attributes: AttributeChanges, around: Surroundings): ReadonlyArray<Fault> => {
  const { name, description, visibility, twoFactorGracePeriod, defaultBranch } = attributes
  return [
    ...of("name", name === undefined ? [] : nameFaults(name)),
    ...of("description", isLongerThan(description ?? "", maxDescriptionLength) ? [tooLong(maxDescriptionLength)] : []),
    ...of("visibility_level", visibility === undefined ? [] : visibilityFaults(visibility, around)),
    ...of("two_factor_grace_period", twoFactorGracePeriod === undefined ? [] : gracePeriodFaults(twoFactorGracePeriod)),
    ...of("default_branch", isLongerThan(defaultBranch ?? "", maxBranchLength) ? [tooLong(maxBranchLength)] : [])
  ]
}

export const maxAncestors = 20

/** What is wrong with so many groups above one. Gap: not shown; the reference's limit and text. */
export const nestingFaults = (ancestors: number): ReadonlyArray<Fault> =>
  of("parent_id", ancestors > maxAncestors ? ["has too deep level of nesting"] : [])

/** Everything that is wrong with a path below this parent. */
export const pathFaults = (path: string, parentId: number | null, isTaken: boolean): ReadonlyArray<Fault> => [
  ...of("path", parentId === null ? topLevelPathErrors(path) : innerPathErrors(path)),
  ...(isTaken ? [pathIsTaken] : [])
]
