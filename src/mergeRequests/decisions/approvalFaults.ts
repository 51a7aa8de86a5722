import type { Fault } from "../../kernel/faults.ts"
import type { ApprovalRule } from "../events.ts"

export type ApprovalFault = Fault<"name" | "approvals_required">

const maxName = 255
const maxRequired = 100

/** What is wrong with a number of approvals. */
export const requiredFaults = <Attribute extends string>(
  attribute: Attribute,
  required: number
): ReadonlyArray<Fault<Attribute>> => {
  if (required < 0) return [{ attribute, text: "must be greater than or equal to 0" }]
  return required > maxRequired ? [{ attribute, text: `must be less than or equal to ${maxRequired}` }] : []
}

const nameFaults = (name: string, others: ReadonlyArray<ApprovalRule>): ReadonlyArray<ApprovalFault> => {
  if (name.trim() === "") return [{ attribute: "name", text: "can't be blank" }]
  if ([...name].length > maxName) return [{ attribute: "name", text: `is too long (maximum is ${maxName} characters)` }]
  return others.some((other) => other.name === name) ? [{ attribute: "name", text: "has already been taken" }] : []
}

/** Everything that is wrong with a rule beside others. */
export const approvalRuleFaults = (
  { approvalsRequired, name }: ApprovalRule,
  others: ReadonlyArray<ApprovalRule>
): ReadonlyArray<ApprovalFault> => [...nameFaults(name, others), ...requiredFaults("approvals_required", approvalsRequired)]
