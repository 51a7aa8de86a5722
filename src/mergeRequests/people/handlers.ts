import { Effect } from "effect"
import { forbidden } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { type OtherReply, ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { handle } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { requireProject } from "../../projects/Projects.ts"
import { described } from "../described.ts"
import { type Command, subscriptionAggregate } from "../participation/aggregate.ts"
import { ParticipationQueries, type ReviewerRow } from "../participation/Queries.ts"
import { mayUpdate, requireIdentity, requireMergeRequest } from "../requireMergeRequest.ts"
import { detailsOf } from "../view.ts"
import {
  listParticipants,
  listReviewers,
  type Reviewer,
  subscribeToMergeRequest,
  unsubscribeFromMergeRequest
} from "./contract.ts"

const participants = route(
  listParticipants,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const row = yield* requireIdentity(yield* requireProject(input), parameters.merge_request_iid)
    const { rows, extent } = yield* ParticipationQueries.use((people) => people.participants(row, pageOf(parameters)))
    return page(
      rows.map((user) => userReference(user, request.externalUrl)),
      extent
    )
  })
)

const presentReviewer = ({ created_at, has_approved, user }: ReviewerRow, externalUrl: string): typeof Reviewer.Type => ({
  user: userReference(user, externalUrl),
  state: has_approved ? "approved" : "unreviewed",
  created_at: isoMillis(created_at)
})

const reviewers = route(
  listReviewers,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const row = yield* requireIdentity(yield* requireProject(input), parameters.merge_request_iid)
    const { rows, extent } = yield* ParticipationQueries.use((people) => people.reviewers(row, pageOf(parameters)))
    return page(
      rows.map((reviewer) => presentReviewer(reviewer, request.externalUrl)),
      extent
    )
  })
)

const notModified: OtherReply<304, undefined> = { status: 304, body: undefined }

/** Whoever may change a merge request may subscribe to it; who takes part in it is subscribed anyway. */
const subscribing = (declared: typeof subscribeToMergeRequest | typeof unsubscribeFromMergeRequest, command: Command["_tag"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* requireProject(input)
      const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
      if (!mayUpdate(found, row, caller.user.id)) return yield* forbidden
      const key = { projectId: row.project_id, iid: row.iid, userId: caller.user.id }
      const { isSubscribed } = yield* ParticipationQueries
      const make = Effect.gen(function* () {
        const isWanted = command === "Subscribe"
        if ((yield* isSubscribed(row, caller.user.id)) === isWanted) return undefined
        return yield* handle(subscriptionAggregate, key, { _tag: command })
      })
      const handled = yield* changes(subscriptionAggregate, key, make)
      if (handled === undefined || handled.events.length === 0) return notModified
      yield* awaitReadModels(handled)
      return ok(yield* detailsOf(yield* described(row), found, { caller, request }))
    })
  )

export const participationRoutes = [
  participants,
  reviewers,
  subscribing(subscribeToMergeRequest, "Subscribe"),
  subscribing(unsubscribeFromMergeRequest, "Unsubscribe")
]
