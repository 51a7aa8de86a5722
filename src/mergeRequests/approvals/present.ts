import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { type UserReferenceRow, userReference } from "../../http/answer/shapes.ts"
import { mergeStatusOf } from "../factsOf.ts"
import type { ApprovalRuleRow, ApprovalsRow, DescribedMergeRequestRow, MergeRequestRow } from "../Queries.ts"
import { publicMergeStatus } from "../status/publicMergeStatus.ts"
import type { ApprovalRule, ApprovalState, Approvals } from "./shapes.ts"

/** The caller: whether they may approve at all, and who they are. */
export interface Approver {
  readonly mayApprove: boolean
  readonly userId: number | undefined
}

const among = (users: ReadonlyArray<UserReferenceRow>, others: ReadonlyArray<UserReferenceRow>) => {
  const ids = new Set(others.map(({ id }) => id))
  return users.filter(({ id }) => ids.has(id))
}

const isSatisfied = ({ approvals_required, users }: ApprovalRuleRow, { approved_by }: ApprovalsRow): boolean =>
  among(users, approved_by).length >= approvals_required

export const presentRule = (rule: ApprovalRuleRow, externalUrl: string): typeof ApprovalRule.Type => {
  const users = rule.users.map((user) => userReference(user, externalUrl))
  return {
    id: rule.id,
    name: rule.name,
    rule_type: "regular",
    eligible_approvers: users,
    approvals_required: rule.approvals_required,
    source_rule: null,
    users,
    groups: [],
    contains_hidden_groups: false,
    overridden: false
  }
}

export const presentState = (approvals: ApprovalsRow, externalUrl: string): typeof ApprovalState.Type => ({
  approval_rules_overwritten: approvals.rules.length > 0,
  rules: approvals.rules.map((rule) => ({
    ...presentRule(rule, externalUrl),
    approved_by: among(approvals.approved_by, rule.users).map((user) => userReference(user, externalUrl)),
    approved: isSatisfied(rule, approvals)
  }))
})

const requiredBy = ({ approvals_before_merge }: MergeRequestRow, { rules }: ApprovalsRow): number =>
  rules.reduce((sum, { approvals_required }) => sum + approvals_required, approvals_before_merge ?? 0)

export const presentApprovals = (
  row: DescribedMergeRequestRow,
  approvals: ApprovalsRow,
  { externalUrl, mayApprove, userId }: Approver & { readonly externalUrl: string }
): typeof Approvals.Type => {
  const { approved_by, rules } = approvals
  const hasApproved = approved_by.some(({ id }) => id === userId)
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: isoMillis(row.created_at),
    updated_at: isoMillis(row.updated_at),
    merge_status: publicMergeStatus(mergeStatusOf(row)),
    approved: approved_by.length > 0 && row.approvals_left === 0,
    approvals_required: requiredBy(row, approvals),
    approvals_left: row.approvals_left,
    require_password_to_approve: false,
    approved_by: approved_by.map((user) => ({ user: userReference(user, externalUrl) })),
    suggested_approvers: [],
    approvers: [],
    approver_groups: [],
    user_has_approved: hasApproved,
    user_can_approve: mayApprove && !hasApproved && row.state !== "merged",
    approval_rules_left: rules
      .filter((rule) => !isSatisfied(rule, approvals))
      .map(({ id, name }) => ({ id, name, rule_type: "regular" })),
    has_approval_rules: rules.length > 0,
    merge_request_approvers_available: true,
    multiple_approval_rules_available: true
  }
}
