import { Effect } from "effect"
import { route } from "../../http/Endpoint.ts"
import * as answers from "../../issuables/stateEvents/answers.ts"
import { stateEventEndpoints } from "../../issuables/stateEvents/contract.ts"
import { requireProject } from "../../projects/Projects.ts"
import { area, issue, missing, named } from "../contract.ts"
import { type OfIssue, requireIdentity } from "../requireIssue.ts"

const endpoints = stateEventEndpoints({ area, thing: "an issue", path: issue, parameters: named, refusals: missing })

const shown = Effect.fnUntraced(function* (input: OfIssue) {
  const { caller, parameters, request } = input
  const {
    id,
    iid,
    project_id: projectId
  } = yield* requireIdentity(yield* requireProject(input), parameters.issue_iid, caller?.user.id)
  const found: answers.Shown = { type: "Issue", projectId, iid, id, externalUrl: request.externalUrl }
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
