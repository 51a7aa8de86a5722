import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { innerPathErrors, topLevelPathErrors } from "../kernel/pathErrors.ts"
import { isMoreVisible, type Visibility } from "../kernel/visibility.ts"
import type { Surroundings } from "./commands.ts"
import type { AttributeChanges } from "./events.ts"

/** Attributes have the names of the interface. */
export type GroupFault = Fault<
  "name" | "path" | "description" | "visibility_level" | "two_factor_grace_period" | "default_branch" | "parent_id"
>

const [maxNameLength, maxDescriptionLength, maxBranchLength] = [255, 500, 255]
const tooLong = (maximum: number): string => `is too long (maximum is ${maximum} characters)`

export const pathIsTaken: GroupFault = { attribute: "path", text: "has already been taken" }

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

const visibilityFaults = (visibility: Visibility, surroundings: Surroundings): ReadonlyArray<string> => {
  const { parentVisibility, projectVisibility, subgroupVisibility } = surroundings
  return [
    ...(parentVisibility !== null && isMoreVisible(visibility, parentVisibility)
      ? [`${visibility} is not allowed since the parent group has a ${parentVisibility} visibility.`]
      : []),
    ...(projectVisibility !== null && isMoreVisible(projectVisibility, visibility)
      ? [`${visibility} is not allowed since this group contains projects with higher visibility.`]
      : []),
    ...(subgroupVisibility !== null && isMoreVisible(subgroupVisibility, visibility)
      ? [`${visibility} is not allowed since there are sub-groups with higher visibility.`]
      : [])
  ]
}

const gracePeriodFaults = (hours: number): ReadonlyArray<string> =>
  hours >= 0 && hours <= 2_147_483_647 ? [] : ["must be greater than or equal to 0"]

/** Everything that is wrong with the attributes that are there. */
export const attributeFaults = (attributes: AttributeChanges, surroundings: Surroundings): ReadonlyArray<GroupFault> => {
  const { name, description, visibility, twoFactorGracePeriod, defaultBranch } = attributes
  return [
    ...faultsOf("name", name === undefined ? [] : nameFaults(name)),
    ...faultsOf("description", isLongerThan(description ?? "", maxDescriptionLength) ? [tooLong(maxDescriptionLength)] : []),
    ...faultsOf("visibility_level", visibility === undefined ? [] : visibilityFaults(visibility, surroundings)),
    ...faultsOf("two_factor_grace_period", twoFactorGracePeriod === undefined ? [] : gracePeriodFaults(twoFactorGracePeriod)),
    ...faultsOf("default_branch", isLongerThan(defaultBranch ?? "", maxBranchLength) ? [tooLong(maxBranchLength)] : [])
  ]
}

export const maxAncestors = 20

/** What is wrong with so many groups above one. Gap: not shown; the reference's limit and text. */
export const nestingFaults = (ancestors: number): ReadonlyArray<GroupFault> =>
  faultsOf("parent_id", ancestors > maxAncestors ? ["has too deep level of nesting"] : [])

/** Everything that is wrong with a path below this parent. */
export const pathFaults = (path: string, parentId: number | null, isTaken: boolean): ReadonlyArray<GroupFault> => [
  ...faultsOf("path", parentId === null ? topLevelPathErrors(path) : innerPathErrors(path)),
  ...(isTaken ? [pathIsTaken] : [])
]
