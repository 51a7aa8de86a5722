import { Schema } from "effect"
import type { Area } from "../http/areas.ts"
import { endpoint } from "../http/Endpoint.ts"
import type { ParameterTable } from "../http/parameters/parameters.ts"
import { AwardEmoji } from "./shapes.ts"

interface Of<P extends ParameterTable> {
  readonly area: Area
  /** What is awarded, such as `merge request`. */
  readonly thing: string
  /** What begins the names of the endpoints. */
  readonly prefix: string
  readonly path: `/${string}`
  /** The ID of the award that the sample of the document gives. */
  readonly sampleId: number
  /** Those of the path. */
  readonly parameters: P
}

const name = {
  kind: "string",
  required: true,
  description: "Name of the emoji: small letters, digits, `_`, `+` and `-`.",
  example: "thumbsup"
} as const

/** The endpoints of what something is awarded: `mergeRequests.listAwards` and so on. */
export const awardEndpoints = <const P extends ParameterTable>(of: Of<P>) => {
  const { area, parameters, prefix, sampleId, thing } = of
  const awardId = { kind: "integer", required: true, description: "ID of the award.", example: sampleId } as const
  const path = `${of.path}/award_emoji` as const
  const one = `${path}/:award_id` as const
  const missing = { 404: `No such ${thing}, or award.` }
  return {
    list: endpoint({
      name: `${prefix}.listAwards`,
      area,
      method: "GET",
      path,
      summary: `List the emoji of a ${thing}`,
      access: "anyone",
      parameters,
      paginated: true,
      success: { status: 200, body: Schema.Array(AwardEmoji) },
      refusals: missing
    }),
    read: endpoint({
      name: `${prefix}.readAward`,
      area,
      method: "GET",
      path: one,
      summary: `Read an emoji of a ${thing}`,
      access: "anyone",
      parameters: { ...parameters, award_id: awardId },
      success: { status: 200, body: AwardEmoji },
      refusals: missing
    }),
    award: endpoint({
      name: `${prefix}.award`,
      area,
      method: "POST",
      path,
      summary: `Award an emoji to a ${thing}`,
      access: "user",
      parameters: { ...parameters, name },
      success: { status: 201, body: AwardEmoji },
      refusals: { 404: `No such ${thing}, no emoji can have this name, or the caller has awarded it.` }
    }),
    takeBack: endpoint({
      name: `${prefix}.takeAwardBack`,
      area,
      method: "DELETE",
      path: one,
      summary: `Take an emoji of a ${thing} back`,
      access: "user",
      parameters: { ...parameters, award_id: awardId },
      success: { status: 204 },
      refusals: { ...missing, 401: "Somebody else gave it.", 412: "It was given after `If-Unmodified-Since`." }
    })
  }
}
