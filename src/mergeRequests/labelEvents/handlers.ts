import { Clock, Effect } from "effect"
import { notFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { route } from "../../http/Endpoint.ts"
import { presentDetails } from "../../labels/Labels.ts"
import { presentMilestone } from "../../milestones/Milestones.ts"
import { requireProject } from "../../projects/Projects.ts"
import { requireVisibleIdentity } from "../requireMergeRequest.ts"
import {
  type LabelEvent,
  listLabelEvents,
  listMilestoneEvents,
  type MilestoneEvent,
  readLabelEvent,
  readMilestoneEvent
} from "./contract.ts"
import { type LabelEventRow, LabelingQueries, type MilestoneEventRow } from "./Queries.ts"

interface View {
  readonly externalUrl: string
  readonly now: number
}

const first = (row: LabelEventRow | MilestoneEventRow, { externalUrl }: Pick<View, "externalUrl">) => ({
  id: row.id,
  user: row.user && userReference(row.user, externalUrl),
  created_at: isoMillis(row.created_at),
  resource_type: "MergeRequest" as const,
  resource_id: row.merge_request_id
})

const actionOf = ({ is_added }: LabelEventRow | MilestoneEventRow) => (is_added ? "add" : "remove")

const presentLabelEvent = (row: LabelEventRow, view: Pick<View, "externalUrl">): typeof LabelEvent.Type => ({
  ...first(row, view),
  label: row.label && presentDetails(row.label),
  action: actionOf(row)
})

const presentMilestoneEvent = (row: MilestoneEventRow, view: View): typeof MilestoneEvent.Type => ({
  ...first(row, view),
  milestone: presentMilestone(row.milestone, view),
  action: actionOf(row),
  state: row.state
})

export const labelEventRoutes = [
  route(
    listLabelEvents,
    Effect.fnUntraced(function* (input) {
      const { parameters, request } = input
      const row = yield* requireVisibleIdentity(yield* requireProject(input), parameters.merge_request_iid)
      const { rows, extent } = yield* LabelingQueries.use((events) => events.labels(row, pageOf(parameters)))
      return page(
        rows.map((event) => presentLabelEvent(event, request)),
        extent
      )
    })
  ),
  route(
    readLabelEvent,
    Effect.fnUntraced(function* (input) {
      const { parameters, request } = input
      const row = yield* requireVisibleIdentity(yield* requireProject(input), parameters.merge_request_iid)
      const id = parameters.event_id ?? (yield* notFound)
      const event = yield* LabelingQueries.use((events) => events.label(row, id))
      return ok(presentLabelEvent(event ?? (yield* notFound), request))
    })
  ),
  route(
    listMilestoneEvents,
    Effect.fnUntraced(function* (input) {
      const { parameters, request } = input
      const row = yield* requireVisibleIdentity(yield* requireProject(input), parameters.merge_request_iid)
      const { rows, extent } = yield* LabelingQueries.use((events) => events.milestones(row, pageOf(parameters)))
      const view = { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis }
      return page(
        rows.map((event) => presentMilestoneEvent(event, view)),
        extent
      )
    })
  ),
  route(
    readMilestoneEvent,
    Effect.fnUntraced(function* (input) {
      const { parameters, request } = input
      const row = yield* requireVisibleIdentity(yield* requireProject(input), parameters.merge_request_iid)
      const id = parameters.event_id ?? (yield* notFound)
      const event = yield* LabelingQueries.use((events) => events.milestone(row, id))
      const view = { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis }
      return ok(presentMilestoneEvent(event ?? (yield* notFound), view))
    })
  )
]
