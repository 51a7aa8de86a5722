import { entriesOf, zipOf } from "#test/pages/archives.ts"
import { grid } from "../grid.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

const reading = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    403       403        ok          ok     ok
  internal         404project  404project  403         403         403    403       403        ok          ok     ok
  public,archived  403         403         403         403         403    403       403        ok          ok     ok
`

const administering = grid`
                   anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private          401        403       403       403      403    403       403        403         403    ok
  internal         401        403       403       403      403    403       403        403         403    ok
  public,archived  401        403       403       403      403    403       403        403         403    ok
`

/** Sites are for members unless somebody sets it otherwise. */
const seeing = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal         404project  404project  403         403         ok     ok        ok         ok          ok     ok
  public,archived  403         403         403         403         ok     ok        ok         ok          ok     ok
`

const deploying = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    403       403        ok          ok     ok
  internal  401        404project  403         403         403    403       403        ok          ok     ok
  public    401        403         403         403         403    403       403        ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

const pages = "/projects/:id/pages"
const file = zipOf(entriesOf({ "index.html": "<h1>Hello</h1>" }))

export const pagesRows: ReadonlyArray<Row<InProject>> = [
  [`GET ${pages}`, 200, reading],
  [`PATCH ${pages}`, 200, administering, () => ({ json: { pages_https_only: false } })],
  [`DELETE ${pages}`, 204, administering],
  ["GET /projects/:id/pages_access", 200, seeing],
  [`POST ${pages}/deployments`, 201, deploying, () => ({ file })]
]
