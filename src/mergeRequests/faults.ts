import { isBranchName } from "../git/refs/refNames.ts"
import { descriptionFaults, type TextFault, titleFaults } from "../issuables/textFaults.ts"
import type { Fault } from "../kernel/faults.ts"
import type { Attributes } from "./events.ts"

export type AttributeFault = TextFault | Fault<"target_branch" | "source_branch">

/** A branch that cannot be one. */
export const branchFaults = (attribute: "source_branch" | "target_branch", branch: string): ReadonlyArray<AttributeFault> =>
  isBranchName(branch) ? [] : [{ attribute, text: "is invalid" }]

/** A branch that has to be there and is not. */
export const missingBranchFaults = (
  attribute: "source_branch" | "target_branch",
  branch: string
): ReadonlyArray<AttributeFault> =>
  isBranchName(branch) ? [{ attribute, text: "does not exist" }] : branchFaults(attribute, branch)

/** Everything that is wrong with attributes. */
export const attributeFaults = ({ description, targetBranch, title }: Attributes): ReadonlyArray<AttributeFault> => [
  ...titleFaults(title),
  ...descriptionFaults(description),
  ...branchFaults("target_branch", targetBranch)
]
