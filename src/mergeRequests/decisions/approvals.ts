import type { ApprovalRule } from "../events.ts"

/** Who approves a merge request, and how many have to. */
export interface Approvals {
  /** How many have to, whoever they are. */
  readonly required: number
  /** In the order in which they approved. */
  readonly approvedBy: ReadonlyArray<number>
  readonly rules: ReadonlyArray<ApprovalRule>
}

const missing = (required: number, given: number): number => Math.max(required - given, 0)

/** How many of the users of a rule have approved. */
const givenFor = ({ userIds }: ApprovalRule, approved: ReadonlySet<number>): number =>
  userIds.reduce((count, id) => (approved.has(id) ? count + 1 : count), 0)

/** How many approvals are missing before it is merged. One counts for each rule that names its user. */
export const approvalsLeft = ({ approvedBy, required, rules }: Approvals): number => {
  const approved = new Set(approvedBy)
  const forRules = rules.map((rule) => missing(rule.approvalsRequired, givenFor(rule, approved)))
  return forRules.reduce((sum, left) => sum + left, missing(required, approvedBy.length))
}
