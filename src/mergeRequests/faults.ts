import { isBranchName } from "../git/refs/refNames.ts"
import type { Fault } from "../kernel/faults.ts"
import type { Attributes } from "./events.ts"

export type AttributeFault = Fault<"title" | "description" | "target_branch" | "source_branch">

const maxTitle = 255
/** Characters, as the interface counts. */
const maxDescription = 1_048_576

const length = (text: string): number => [...text].length

const titleFaults = (title: string): ReadonlyArray<AttributeFault> => {
  if (title.trim() === "") return [{ attribute: "title", text: "can't be blank" }]
  return length(title) > maxTitle ? [{ attribute: "title", text: `is too long (maximum is ${maxTitle} characters)` }] : []
}

/** Gap: the exact words are not shown. */
const descriptionFaults = (description: string | null): ReadonlyArray<AttributeFault> => {
  if (description === null || description.length <= maxDescription || length(description) <= maxDescription) return []
  return [{ attribute: "description", text: `is too long (maximum is ${maxDescription} characters)` }]
}

/** A branch that cannot be one. */
export const branchFaults = (attribute: "source_branch" | "target_branch", branch: string): ReadonlyArray<AttributeFault> =>
  isBranchName(branch) ? [] : [{ attribute, text: "is invalid" }]

/** Everything that is wrong with attributes. */
export const attributeFaults = ({ description, targetBranch, title }: Attributes): ReadonlyArray<AttributeFault> => [
  ...titleFaults(title),
  ...descriptionFaults(description),
  ...branchFaults("target_branch", targetBranch)
]
