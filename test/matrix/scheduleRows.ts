import { developing as creating } from "./rights.ts"
import type { Row } from "./row.ts"
import {
  changing,
  developing,
  giving,
  givingOthers,
  listing,
  managing,
  reading,
  readingOwnVariables,
  readingVariables,
  takingAway
} from "./scheduleRights.ts"
import type { InProject } from "./useWorld.ts"

type Named = keyof InProject["schedules"]

/** A schedule, with a variable of it. */
const the = (name: Named, key = "KEY") => {
  return ({ schedules }: InProject) => ({ path: { pipeline_schedule_id: schedules[name], key } })
}
const changed = (name: Named, json: object) => (at: InProject) => ({ ...the(name)(at), json })
const keyOf = ({ own }: InProject): string => own.replaceAll("-", "_")
const adding = (name: Named) => (at: InProject) => ({ ...the(name)(at), json: { key: keyOf(at), value: "v" } })

const one = "/projects/:id/pipeline_schedules/:pipeline_schedule_id"
const ofOwner = { when: "own" } as const
const complete = { description: "d", ref: "topic", cron: "0 1 * * *" }

export const scheduleRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/pipeline_schedules", 200, listing],
  ["POST /projects/:id/pipeline_schedules", 201, creating, () => ({ json: complete })],
  [`GET ${one}`, 200, reading, the("kept")],
  [`GET ${one}/pipelines`, 200, reading, the("kept")],
  [`GET ${one}/runs`, 200, reading, the("kept")],
  [`GET ${one}/preview`, 200, reading, the("kept")],
  [`PUT ${one}`, 200, changing, changed("kept", { description: "e" })],
  [`PUT ${one}`, 200, developing, changed("own", { description: "e" }), ofOwner],
  [`POST ${one}/play`, 201, developing, the("kept")],
  [`POST ${one}/play`, 201, developing, the("own"), ofOwner],
  [`GET ${one}/variables/:key`, 200, readingVariables, the("kept")],
  [`GET ${one}/variables/:key`, 200, readingOwnVariables, the("own"), ofOwner],
  [`POST ${one}/variables`, 201, givingOthers, adding("kept")],
  [`POST ${one}/variables`, 201, giving, adding("own"), ofOwner],
  [`PUT ${one}/variables/:key`, 200, givingOthers, changed("kept", { value: "v" })],
  [`PUT ${one}/variables/:key`, 200, giving, changed("own", { value: "v" }), ofOwner],
  [`DELETE ${one}/variables/:key`, 202, takingAway, the("doomed")],
  [`DELETE ${one}/variables/:key`, 202, giving, the("own"), ofOwner],
  [`POST ${one}/take_ownership`, 201, managing, the("taken")],
  [`POST ${one}/take_ownership`, 200, developing, the("own"), ofOwner],
  [`DELETE ${one}`, 200, managing, the("doomed")],
  [`DELETE ${one}`, 200, developing, the("own"), ofOwner]
]
