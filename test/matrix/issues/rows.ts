import { grid } from "../grid.ts"
import { reading } from "../rights.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

/** Who opens issues. */
const opening = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal  401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** Who changes issues of others. */
const changing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    ok        ok         ok          ok     ok
  internal  401        404project  403         403         403    ok        ok         ok          ok     ok
  public    401        403         403         403         403    ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** Who deletes issues. */
const removing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    403       403        403         ok     ok
  internal  401        404project  403         403         403    403       403        403         ok     ok
  public    401        403         403         403         403    403       403        403         ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** Who awards issues something. */
const awarding = grid`
            anonymous  external    outsider    minimal     guest     reporter  developer  maintainer  owner     administrator
  private   401        404project  404project  404project  ok        ok        ok         ok          ok        ok
  internal  401        404project  ok          ok          ok        ok        ok         ok          ok        ok
  public    401        ok          ok          ok          ok        ok        ok         ok          ok        ok
  archived  401        404award    404award    404award    404award  404award  404award   404award    404award  404award
`

const one = "/projects/:id/issues/:issue_iid"
const kept = ({ issues }: InProject) => ({ path: { issue_iid: issues.kept } })
const awarded = ({ issues }: InProject) => ({
  path: { issue_iid: issues.awarded, award_id: issues.award, event_id: issues.closed }
})

export const issueRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/issues", 200, reading],
  ["POST /projects/:id/issues", 201, opening, ({ own }) => ({ json: { title: own } })],
  [`GET ${one}`, 200, reading, kept],
  [`PUT ${one}`, 200, changing, (at) => ({ ...kept(at), json: { title: "Kept for long" } })],
  [`DELETE ${one}`, 204, removing, ({ issues }) => ({ path: { issue_iid: issues.doomed } })],
  [`GET ${one}/resource_state_events`, 200, reading, kept],
  [`GET ${one}/resource_state_events/:event_id`, 200, reading, awarded],
  [`GET ${one}/award_emoji`, 200, reading, kept],
  [`GET ${one}/award_emoji/:award_id`, 200, reading, awarded],
  [`POST ${one}/award_emoji`, 201, awarding, (at) => ({ ...kept(at), json: { name: "thumbsup" } })],
  [`DELETE ${one}/award_emoji/:award_id`, 204, awarding, awarded]
]
