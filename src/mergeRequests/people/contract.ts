import { Schema } from "effect"
import { time } from "../../http/answer/fields.ts"
import { UserReference } from "../../http/answer/shapes.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { MergeRequestDetail } from "../shapes.ts"

const refusals = { ...missing, 403: "Merge requests are not shown to the caller." }

export const listParticipants = endpoint({
  name: "mergeRequests.participants",
  area,
  method: "GET",
  path: `${mergeRequest}/participants`,
  summary: "List who takes part in a merge request",
  description: "Its author, who works on it, who reviews it and who comments on it.",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(UserReference) },
  refusals
})

/** Somebody who is to review it. */
export const Reviewer = Schema.Struct({
  user: UserReference.annotateKey({ description: "Who is to review it." }),
  state: Schema.Literals(["unreviewed", "approved"]).annotate({ description: "How far the review is." }),
  created_at: time("When they were asked to review it.")
}).annotate({ identifier: "Reviewer" })

export const listReviewers = endpoint({
  name: "mergeRequests.reviewers",
  area,
  method: "GET",
  path: `${mergeRequest}/reviewers`,
  summary: "List the reviewers of a merge request",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(Reviewer) },
  refusals
})

const subscription = <const Verb extends "subscribe" | "unsubscribe">(verb: Verb, summary: string, unchanged: string) =>
  endpoint({
    name: `mergeRequests.${verb}`,
    area,
    method: "POST",
    path: `${mergeRequest}/${verb}`,
    summary,
    access: "user",
    parameters: named,
    success: { status: 201, body: MergeRequestDetail },
    otherSuccesses: [{ status: 304, description: unchanged }],
    refusals: { ...missing, 403: "The caller may not change it." }
  })

export const subscribeToMergeRequest = subscription(
  "subscribe",
  "Subscribe to a merge request",
  "The caller is subscribed already, maybe by taking part in it."
)
export const unsubscribeFromMergeRequest = subscription(
  "unsubscribe",
  "Unsubscribe from a merge request",
  "The caller is not subscribed."
)
