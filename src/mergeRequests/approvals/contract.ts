import { Schema } from "effect"
import { Accepted } from "../../http/answer/accepted.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { ApprovalRule, ApprovalState, Approvals } from "./shapes.ts"

const reading = { ...missing, 403: "Merge requests are not shown to the caller." }
const changing = { ...missing, 403: "The caller may not change it." }
const rules = `${mergeRequest}/approval_rules` as const

export const readApprovals = endpoint({
  name: "mergeRequests.approvals",
  area,
  method: "GET",
  path: `${mergeRequest}/approvals`,
  summary: "Read the approvals of a merge request",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: Approvals },
  refusals: reading
})

export const approve = endpoint({
  name: "mergeRequests.approve",
  area,
  method: "POST",
  path: `${mergeRequest}/approve`,
  summary: "Approve a merge request",
  access: "user",
  parameters: { ...named, sha: { kind: "string", description: "Full ID of the commit that the source branch has to have." } },
  success: { status: 201, body: Approvals },
  refusals: {
    ...missing,
    401: "The caller has approved it, or it is merged.",
    403: "The caller may not approve it.",
    409: "The source branch has another commit."
  }
})

export const unapprove = endpoint({
  name: "mergeRequests.unapprove",
  area,
  method: "POST",
  path: `${mergeRequest}/unapprove`,
  summary: "Take the approval of a merge request back",
  access: "user",
  parameters: named,
  success: { status: 201, body: Approvals },
  refusals: { 404: "No such merge request, or the caller has not approved it.", 403: "The caller may not approve it." }
})

export const resetApprovals = endpoint({
  name: "mergeRequests.resetApprovals",
  area,
  method: "PUT",
  path: `${mergeRequest}/reset_approvals`,
  summary: "Take all approvals of a merge request away",
  access: "user",
  parameters: named,
  success: { status: 202, body: Accepted },
  refusals: { ...missing, 401: "The caller is no administrator, or it is merged." }
})

export const readApprovalState = endpoint({
  name: "mergeRequests.approvalState",
  area,
  method: "GET",
  path: `${mergeRequest}/approval_state`,
  summary: "Read how far the rules of approvals of a merge request are obeyed",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: ApprovalState },
  refusals: reading
})

export const listApprovalRules = endpoint({
  name: "mergeRequests.approvalRules",
  area,
  method: "GET",
  path: rules,
  summary: "List the rules of approvals of a merge request",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: Schema.Array(ApprovalRule) },
  refusals: reading
})

export const addApprovalRule = endpoint({
  name: "mergeRequests.addApprovalRule",
  area,
  method: "POST",
  path: rules,
  summary: "Add a rule of approvals to a merge request",
  access: "user",
  parameters: {
    ...named,
    name: { kind: "string", required: true, description: "Name of the rule.", example: "Security" },
    approvals_required: {
      kind: "integer",
      required: true,
      description: "How many of its users have to approve.",
      example: 1
    },
    user_ids: { kind: "integerList", description: "IDs of its users." }
  },
  success: { status: 201, body: ApprovalRule },
  refusals: { ...changing, 400: "The name is taken, or the number is wrong." }
})

export const removeApprovalRule = endpoint({
  name: "mergeRequests.removeApprovalRule",
  area,
  method: "DELETE",
  path: `${rules}/:approval_rule_id`,
  summary: "Remove a rule of approvals from a merge request",
  access: "user",
  parameters: {
    ...named,
    approval_rule_id: { kind: "integer", required: true, description: "ID of the rule.", example: 1 }
  },
  success: { status: 204 },
  refusals: { ...changing, 404: "No such merge request, or rule." }
})
