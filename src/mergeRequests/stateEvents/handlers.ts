import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import * as answers from "../../issuables/stateEvents/answers.ts"
import { requireProject } from "../../projects/Projects.ts"
import { requireVisible } from "../requireMergeRequest.ts"
import { listStateEvents, readStateEvent } from "./contract.ts"

interface Asked {
  readonly parameters: { readonly id: string | null; readonly merge_request_iid: number | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const shown = Effect.fnUntraced(function* (input: Asked) {
  const {
    id,
    iid,
    project_id: projectId
  } = yield* requireVisible(yield* requireProject(input), input.parameters.merge_request_iid)
  const found: answers.Shown = { type: "MergeRequest", projectId, iid, id, externalUrl: input.request.externalUrl }
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
