import { isBranchName } from "../../git/refs/refNames.ts"
import { descriptionFaults, type TextFault, titleFaults } from "../../issuables/textFaults.ts"
import type { Fault } from "../../kernel/faults.ts"
import type { Attributes, Source } from "../events.ts"
import { requiredFaults } from "./approvalFaults.ts"

export type AttributeFault = TextFault | Fault<"target_branch" | "source_branch" | "approvals_before_merge" | "labels">

/** A branch that cannot be one. */
const branchFaults = (attribute: "source_branch" | "target_branch", branch: string): ReadonlyArray<AttributeFault> =>
  isBranchName(branch) ? [] : [{ attribute, text: "is invalid" }]

/** A branch that has to be there and is not. */
export const missingBranchFaults = (
  attribute: "source_branch" | "target_branch",
  branch: string
): ReadonlyArray<AttributeFault> =>
  isBranchName(branch) ? [{ attribute, text: "does not exist" }] : branchFaults(attribute, branch)

/** No merge request has more labels. */
export const maxLabels = 500

/** Gap: the reference has no limit. */
export const labelFaults = ({ length: count }: ReadonlyArray<unknown>): ReadonlyArray<AttributeFault> =>
  count > maxLabels ? [{ attribute: "labels", text: `is too long (maximum is ${maxLabels})` }] : []

type JudgedAttributes = Pick<Attributes, "description" | "targetBranch" | "title">

/** Everything that is wrong with attributes. */
export const attributeFaults = ({ description, targetBranch, title }: JudgedAttributes): ReadonlyArray<AttributeFault> => [
  ...titleFaults(title),
  ...descriptionFaults(description),
  ...branchFaults("target_branch", targetBranch)
]

interface Opening {
  readonly attributes: JudgedAttributes
  readonly source: Pick<Source, "branch">
  readonly approvalsBeforeMerge?: number
}

/** Everything that is wrong with a merge request that is about to be opened. */
export const openingFaults = ({ approvalsBeforeMerge = 0, attributes, source }: Opening): ReadonlyArray<AttributeFault> => [
  ...attributeFaults(attributes),
  ...branchFaults("source_branch", source.branch),
  ...requiredFaults("approvals_before_merge", approvalsBeforeMerge)
]
