import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { StateEvent } from "../../issuables/stateEvents/shapes.ts"
import { area, issue, missing, named } from "../contract.ts"

const path = `${issue}/resource_state_events` as const

export const listStateEvents = endpoint({
  name: "issues.stateEvents",
  area,
  method: "GET",
  path,
  summary: "List the changes of the state of an issue",
  description: "The oldest first; that it was opened is none.",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(StateEvent) },
  refusals: missing
})

export const readStateEvent = endpoint({
  name: "issues.stateEvent",
  area,
  method: "GET",
  path: `${path}/:event_id`,
  summary: "Read a change of the state of an issue",
  access: "anyone",
  parameters: { ...named, event_id: { kind: "integer", required: true, description: "ID of the change.", example: 1 } },
  success: { status: 200, body: StateEvent },
  refusals: { 404: "No such issue, or change." }
})
