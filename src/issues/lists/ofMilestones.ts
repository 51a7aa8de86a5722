import { Clock, Effect } from "effect"
import { pageOf } from "../../http/answer/pagination.ts"
import { groupId, projectId } from "../../http/answer/references.ts"
import { endpoint, route } from "../../http/Endpoint.ts"
import type { RawParameters } from "../../http/parameters/rawParameters.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { milestoneOfGroup, milestoneOfProject, requireReadable } from "../../milestones/Milestones.ts"
import { inGroup, inProject } from "../../parents/requireParent.ts"
import { issuesPage } from "../page.ts"
import { presentListed } from "../present.ts"
import { type IssueFilter, IssueQueries } from "../Queries.ts"
import { success } from "./contract.ts"

const common = {
  area: "issues",
  method: "GET",
  access: "anyone",
  description: "Those that the caller may see, the newest first.",
  paginated: true,
  success,
  refusals: { 403: "Milestones are not shown to the caller.", 404: "No such milestone." }
} as const

const listOfProjectMilestone = endpoint({
  ...common,
  name: "issues.listOfProjectMilestone",
  path: "/projects/:id/milestones/:milestone_id/issues",
  summary: "List issues of a milestone of a project",
  parameters: { id: projectId, milestone_id: milestoneOfProject }
})

const listOfGroupMilestone = endpoint({
  ...common,
  name: "issues.listOfGroupMilestone",
  path: "/groups/:id/milestones/:milestone_id/issues",
  summary: "List issues of a milestone of a group",
  parameters: { id: groupId, milestone_id: milestoneOfGroup }
})

const newest = { by: "created_at", descending: true } as const

const listed = Effect.fnUntraced(function* (filter: Omit<IssueFilter, "order">, parameters: RawParameters, externalUrl: string) {
  const now = yield* Clock.currentTimeMillis
  const found = yield* IssueQueries.use((issues) => issues.list({ ...filter, order: newest }, pageOf({ ...parameters })))
  return yield* issuesPage(found, (row) => presentListed(row, { externalUrl, now, withLabelDetails: false }))
})

export const milestoneListRoutes = [
  route(
    listOfProjectMilestone,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inProject(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { project: { id: found.parent.id }, milestone: { title }, viewer: viewerOf(caller) }
      return yield* listed(filter, parameters, request.externalUrl)
    })
  ),
  route(
    listOfGroupMilestone,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inGroup(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { groupId: found.parent.id, milestone: { title }, viewer: viewerOf(caller) }
      return yield* listed(filter, parameters, request.externalUrl)
    })
  )
]
