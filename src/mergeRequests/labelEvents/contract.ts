import { Schema } from "effect"
import { integer, time } from "../../http/answer/fields.ts"
import { UserReference } from "../../http/answer/shapes.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { LabelDetails } from "../../labels/Labels.ts"
import { AnyMilestone } from "../../milestones/Milestones.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"

const first = {
  id: integer("ID of the event."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who did it; null when that user is deleted." }),
  created_at: time("When it was done."),
  resource_type: Schema.Literal("MergeRequest").annotate({ description: "What it was done to." }),
  resource_id: integer("ID of the merge request.")
}
const action = Schema.Literals(["add", "remove"]).annotate({ description: "What was done." })

/** That a label was added or removed. */
export const LabelEvent = Schema.Struct({
  ...first,
  label: Schema.NullOr(LabelDetails).annotate({ description: "The label; null when it is deleted." }),
  action
}).annotate({ identifier: "LabelEvent" })

/** The same of a milestone. */
export const MilestoneEvent = Schema.Struct({
  ...first,
  milestone: AnyMilestone.annotate({ description: "The milestone." }),
  action,
  state: Schema.Literals(["opened", "closed", "locked", "merged"]).annotate({
    description: "State of the merge request then."
  })
}).annotate({ identifier: "MilestoneEvent" })

const eventId = { kind: "integer", required: true, description: "ID of the event.", example: 1 } as const
const common = { area, method: "GET", access: "anyone", refusals: missing } as const

export const listLabelEvents = endpoint({
  ...common,
  name: "mergeRequests.labelEvents",
  path: `${mergeRequest}/resource_label_events`,
  summary: "List who labeled a merge request",
  description: "The oldest first.",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(LabelEvent) }
})

export const readLabelEvent = endpoint({
  ...common,
  name: "mergeRequests.labelEvent",
  path: `${mergeRequest}/resource_label_events/:event_id`,
  summary: "Read who labeled a merge request once",
  parameters: { ...named, event_id: eventId },
  success: { status: 200, body: LabelEvent }
})

export const listMilestoneEvents = endpoint({
  ...common,
  name: "mergeRequests.milestoneEvents",
  path: `${mergeRequest}/resource_milestone_events`,
  summary: "List who set the milestone of a merge request",
  description: "The oldest first.",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(MilestoneEvent) }
})

export const readMilestoneEvent = endpoint({
  ...common,
  name: "mergeRequests.milestoneEvent",
  path: `${mergeRequest}/resource_milestone_events/:event_id`,
  summary: "Read who set the milestone of a merge request once",
  parameters: { ...named, event_id: eventId },
  success: { status: 200, body: MilestoneEvent }
})
