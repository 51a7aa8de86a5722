import { Effect } from "effect"
import { route } from "../../http/Endpoint.ts"
import * as answers from "../../issuables/stateEvents/answers.ts"
import { stateEventEndpoints } from "../../issuables/stateEvents/contract.ts"
import { requireProject } from "../../projects/Projects.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { type OfMergeRequest, requireVisibleIdentity } from "../requireMergeRequest.ts"

const endpoints = stateEventEndpoints({
  area,
  thing: "a merge request",
  path: mergeRequest,
  parameters: named,
  refusals: missing
})

const shown = Effect.fnUntraced(function* (input: OfMergeRequest) {
  const {
    id,
    iid,
    project_id: projectId
  } = yield* requireVisibleIdentity(yield* requireProject(input), input.parameters.merge_request_iid)
  const found: answers.Shown = { type: "MergeRequest", projectId, iid, id, externalUrl: input.request.externalUrl }
  return found
})

const list = route(
  endpoints.list,
  Effect.fnUntraced(function* (input) {
    return yield* answers.listStateEvents(yield* shown(input), input.parameters)
  })
)

const read = route(
  endpoints.read,
  Effect.fnUntraced(function* (input) {
    return yield* answers.readStateEvent(yield* shown(input), input.parameters.event_id)
  })
)

export const stateEventRoutes = [list, read]
