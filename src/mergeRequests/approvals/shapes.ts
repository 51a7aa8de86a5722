import { Schema } from "effect"
import { flag, integer, literal, nothing, nullableText, text, time } from "../../http/answer/fields.ts"
import { UserReference } from "../../http/answer/shapes.ts"

const users = (description: string) => Schema.Array(UserReference).annotate({ description })
const nobody = (description: string) => Schema.Array(Schema.Never).annotate({ description })

const named = {
  id: integer("ID of the rule."),
  name: text("Name of the rule."),
  rule_type: literal("regular", "Always `regular`: the rule names its users.")
}

const ruleFields = {
  ...named,
  eligible_approvers: users("Whose approvals count."),
  approvals_required: integer("How many of them have to approve."),
  source_rule: nothing("Null: projects have no rules."),
  users: users("The users whom the rule names."),
  groups: nobody("Empty: rules name users."),
  contains_hidden_groups: flag("False: rules name users."),
  overridden: flag("False: projects have no rules.")
}

/** A rule by which some users have to approve. */
export const ApprovalRule = Schema.Struct(ruleFields).annotate({ identifier: "ApprovalRule" })

/** The rules of a merge request, with how far they are obeyed. */
export const ApprovalState = Schema.Struct({
  approval_rules_overwritten: flag("Whether the merge request has rules."),
  rules: Schema.Array(
    Schema.Struct({
      ...ruleFields,
      approved_by: users("Who of them approved."),
      approved: flag("Whether enough of them did.")
    })
  ).annotate({ description: "The rules." })
}).annotate({ identifier: "ApprovalState" })

/** Who approved a merge request, and who has to. */
export const Approvals = Schema.Struct({
  id: integer("ID of the merge request."),
  iid: integer("Number of the merge request in its project."),
  project_id: integer("ID of the project into which it is to be merged."),
  title: text("What it is about."),
  description: nullableText("What it does, as Markdown."),
  state: text("Whether it is open."),
  created_at: time("When it was opened."),
  updated_at: time("When it was last changed."),
  merge_status: text("Whether its commits can be merged, as far as that was checked."),
  approved: flag("Whether enough approved, and somebody did."),
  approvals_required: integer("How many approvals it needs."),
  approvals_left: integer("How many of them are missing."),
  require_password_to_approve: flag("False: a token suffices."),
  approved_by: Schema.Array(Schema.Struct({ user: UserReference.annotateKey({ description: "Who approved." }) })).annotate({
    description: "Who approved, the first one first."
  }),
  suggested_approvers: nobody("Empty: nobody is suggested."),
  approvers: nobody("Empty: rules name them."),
  approver_groups: nobody("Empty: rules name users."),
  user_has_approved: flag("Whether the caller approved."),
  user_can_approve: flag("Whether the caller may approve now."),
  approval_rules_left: Schema.Array(Schema.Struct(named)).annotate({ description: "The rules that are not obeyed yet." }),
  has_approval_rules: flag("Whether it has rules."),
  merge_request_approvers_available: flag("True: approvals can be required."),
  multiple_approval_rules_available: flag("True: there may be several rules.")
}).annotate({ identifier: "Approvals" })
