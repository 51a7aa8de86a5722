import { Result } from "effect"
import { MergeRequestEvent } from "../events.ts"
import { approvalRuleFaults } from "./approvalFaults.ts"
import { type Approvals, approvalsLeft } from "./approvals.ts"
import {
  type AddApprovalRule,
  ApprovalRuleInvalid,
  ApprovalRuleMissing,
  type Approve,
  type Decision,
  HeadMoved,
  NotApprovable,
  NotApproved,
  TooManyApprovalRules
} from "./commands.ts"
import { headOf, type Present } from "./state.ts"

const { cases } = MergeRequestEvent
const one = (event: MergeRequestEvent): Decision => Result.succeed([event])

/** No merge request has more rules. */
const maxRules = 100

/** What is merged is approved by nobody any more, and nobody approves twice. */
export const approve = ({ by, sha }: Approve, { _tag, request }: Present): Decision => {
  const [{ approvals }, headSha] = [request, headOf(request)]
  if (sha !== undefined && sha !== headSha) return Result.fail(new HeadMoved({ headSha }))
  if (_tag === "Merged" || approvals.approvedBy.includes(by)) return Result.fail(new NotApprovable())
  return one(
    cases.MergeRequestApproved.make({ by, left: approvalsLeft({ ...approvals, approvedBy: [...approvals.approvedBy, by] }) })
  )
}

export const unapprove = (by: number, { _tag, request: { approvals } }: Present): Decision => {
  const approvedBy = approvals.approvedBy.filter((id) => id !== by)
  if (_tag === "Merged" || approvedBy.length === approvals.approvedBy.length) return Result.fail(new NotApproved())
  return one(cases.MergeRequestUnapproved.make({ by, left: approvalsLeft({ ...approvals, approvedBy }) }))
}

/** The event by which all approvals are gone; none where there are none. */
export const withoutApprovals = (approvals: Approvals): ReadonlyArray<MergeRequestEvent> =>
  approvals.approvedBy.length === 0 ? [] : [cases.ApprovalsReset.make({ left: approvalsLeft({ ...approvals, approvedBy: [] }) })]

export const resetApprovals = ({ _tag, request: { approvals } }: Present): Decision =>
  _tag === "Merged" ? Result.fail(new NotApprovable()) : Result.succeed(withoutApprovals(approvals))

export const addApprovalRule = ({ rule }: AddApprovalRule, { request: { approvals } }: Present): Decision => {
  const faults = approvalRuleFaults(rule, approvals.rules)
  if (faults.length > 0) return Result.fail(new ApprovalRuleInvalid({ faults }))
  if (approvals.rules.length >= maxRules) return Result.fail(new TooManyApprovalRules({ limit: maxRules }))
  const left = approvalsLeft({ ...approvals, rules: [...approvals.rules, rule] })
  return one(cases.ApprovalRuleAdded.make({ ...rule, left }))
}

export const removeApprovalRule = (id: number, { request: { approvals } }: Present): Decision => {
  const rules = approvals.rules.filter((rule) => rule.id !== id)
  if (rules.length === approvals.rules.length) return Result.fail(new ApprovalRuleMissing())
  return one(cases.ApprovalRuleRemoved.make({ id, left: approvalsLeft({ ...approvals, rules }) }))
}
