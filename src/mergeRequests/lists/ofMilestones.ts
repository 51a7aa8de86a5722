import { Effect } from "effect"
import { route } from "../../http/Endpoint.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { milestoneLists, newestFirst, requireReadable } from "../../milestones/Milestones.ts"
import { inGroup, inProject } from "../../parents/requireParent.ts"
import { success } from "./contract.ts"
import { listed } from "./handlers.ts"

const { ofGroup, ofProject } = milestoneLists({ area: "mergeRequests", segment: "merge_requests", success })

export const milestoneListRoutes = [
  route(
    ofProject,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inProject(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { projectId: found.parent.id, milestone: { title }, viewer: viewerOf(caller), order: newestFirst }
      return yield* listed(filter, parameters, { externalUrl: request.externalUrl })
    })
  ),
  route(
    ofGroup,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters, request } = input
      const found = yield* inGroup(input)
      const { title } = yield* requireReadable(found, parameters.milestone_id)
      const filter = { groupId: found.parent.id, milestone: { title }, viewer: viewerOf(caller), order: newestFirst }
      return yield* listed(filter, parameters, { externalUrl: request.externalUrl })
    })
  )
]
