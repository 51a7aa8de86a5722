import { Clock, Effect } from "effect"
import { pageOf } from "../../http/answer/pagination.ts"
import { route } from "../../http/Endpoint.ts"
import type { RawParameters } from "../../http/parameters/rawParameters.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { milestoneLists, newestFirst, requireReadable } from "../../milestones/Milestones.ts"
import { inGroup, inProject } from "../../parents/requireParent.ts"
import { issuesPage } from "../page.ts"
import { presentListed } from "../present.ts"
import { type IssueFilter, IssueQueries } from "../Queries.ts"
import { success } from "./contract.ts"

const { ofGroup, ofProject } = milestoneLists({ area: "issues", segment: "issues", success })

const listed = Effect.fnUntraced(function* (filter: Omit<IssueFilter, "order">, parameters: RawParameters, externalUrl: string) {
  const now = yield* Clock.currentTimeMillis
  const found = yield* IssueQueries.use((issues) => issues.list({ ...filter, order: newestFirst }, pageOf(parameters)))
  return yield* issuesPage(found, (row) => presentListed(row, { externalUrl, now, withLabelDetails: false }))
})

export const milestoneListRoutes = [
  route(
    ofProject,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inProject(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { project: { id: found.parent.id }, milestone: { title }, viewer: viewerOf(caller) }
      return yield* listed(filter, { ...parameters }, request.externalUrl)
    })
  ),
  route(
    ofGroup,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inGroup(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { groupId: found.parent.id, milestone: { title }, viewer: viewerOf(caller) }
      return yield* listed(filter, { ...parameters }, request.externalUrl)
    })
  )
]
