import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import * as answers from "../../issuables/stateEvents/answers.ts"
import { requireProject } from "../../projects/Projects.ts"
import { requireIssue } from "../requireIssue.ts"
import { listStateEvents, readStateEvent } from "./contract.ts"

interface Asked {
  readonly parameters: { readonly id: string | null; readonly issue_iid: number | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const shown = Effect.fnUntraced(function* (input: Asked) {
  const { caller, parameters, request } = input
  const {
    id,
    iid,
    project_id: projectId
  } = yield* requireIssue(yield* requireProject(input), parameters.issue_iid, caller?.user.id)
  const found: answers.Shown = { type: "Issue", projectId, iid, id, externalUrl: request.externalUrl }
  return found
})

const list = route(
  listStateEvents,
  Effect.fnUntraced(function* (input) {
    return yield* answers.listStateEvents(yield* shown(input), input.parameters)
  })
)

const read = route(
  readStateEvent,
  Effect.fnUntraced(function* (input) {
    return yield* answers.readStateEvent(yield* shown(input), input.parameters.event_id)
  })
)

export const stateEventRoutes = [list, read]
