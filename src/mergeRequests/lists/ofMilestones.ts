import { Effect } from "effect"
import { groupId, projectId } from "../../http/answer/references.ts"
import { endpoint, route } from "../../http/Endpoint.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { milestoneOfGroup, milestoneOfProject, requireReadable } from "../../milestones/Milestones.ts"
import { inGroup, inProject } from "../../parents/requireParent.ts"
import { success } from "./contract.ts"
import { listed } from "./handlers.ts"

const common = {
  area: "mergeRequests",
  method: "GET",
  access: "anyone",
  description: "Those that the caller may see, the newest first.",
  paginated: true,
  success,
  refusals: { 403: "Milestones are not shown to the caller.", 404: "No such milestone." }
} as const

const listOfProjectMilestone = endpoint({
  ...common,
  name: "mergeRequests.listOfProjectMilestone",
  path: "/projects/:id/milestones/:milestone_id/merge_requests",
  summary: "List merge requests of a milestone of a project",
  parameters: { id: projectId, milestone_id: milestoneOfProject }
})

const listOfGroupMilestone = endpoint({
  ...common,
  name: "mergeRequests.listOfGroupMilestone",
  path: "/groups/:id/milestones/:milestone_id/merge_requests",
  summary: "List merge requests of a milestone of a group",
  parameters: { id: groupId, milestone_id: milestoneOfGroup }
})

const newest = { by: "created_at", descending: true } as const

export const milestoneListRoutes = [
  route(
    listOfProjectMilestone,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inProject(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { projectId: found.parent.id, milestone: { title }, viewer: viewerOf(caller), order: newest }
      return yield* listed(filter, parameters, { externalUrl: request.externalUrl })
    })
  ),
  route(
    listOfGroupMilestone,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inGroup(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { groupId: found.parent.id, milestone: { title }, viewer: viewerOf(caller), order: newest }
      return yield* listed(filter, parameters, { externalUrl: request.externalUrl })
    })
  )
]
