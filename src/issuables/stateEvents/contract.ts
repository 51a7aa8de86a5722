import { Schema } from "effect"
import type { Area } from "../../http/areas.ts"
import { endpoint } from "../../http/Endpoint.ts"
import type { ParameterTable } from "../../http/parameters/parameters.ts"
import { StateEvent } from "./shapes.ts"

interface Of<P extends ParameterTable> {
  /** It begins the names of the endpoints too. */
  readonly area: Area
  /** With its article, such as `a merge request`. */
  readonly thing: string
  readonly path: `/${string}`
  /** Those of the path. */
  readonly parameters: P
  readonly refusals: Readonly<Record<number, string>>
}

/** The endpoints of the changes of the state of something: `mergeRequests.stateEvents` and so on. */
export const stateEventEndpoints = <const P extends ParameterTable>({ area, parameters, path, refusals, thing }: Of<P>) => {
  const all = `${path}/resource_state_events` as const
  return {
    list: endpoint({
      name: `${area}.stateEvents`,
      area,
      method: "GET",
      path: all,
      summary: `List the changes of the state of ${thing}`,
      description: "The oldest first; that it was opened is none.",
      access: "anyone",
      parameters,
      paginated: true,
      success: { status: 200, body: Schema.Array(StateEvent) },
      refusals
    }),
    read: endpoint({
      name: `${area}.stateEvent`,
      area,
      method: "GET",
      path: `${all}/:event_id`,
      summary: `Read a change of the state of ${thing}`,
      access: "anyone",
      parameters: { ...parameters, event_id: { kind: "integer", required: true, description: "ID of the change.", example: 1 } },
      success: { status: 200, body: StateEvent },
      refusals: { ...refusals, 404: "No such thing, or change." }
    })
  }
}
