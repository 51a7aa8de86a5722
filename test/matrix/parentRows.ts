import { grid } from "./grid.ts"
import { reading, readingGroup } from "./rights.ts"
import type { Row } from "./row.ts"
import type { InGroup, InProject } from "./useWorld.ts"

// What projects and groups have alike.

/** What Reporters manage in a project. */
const managing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    ok        ok         ok          ok     ok
  internal  401        404project  403         403         403    ok        ok         ok          ok     ok
  public    401        403         403         403         403    ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** What Reporters manage in a group. */
const managingOfGroup = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   401        404group  404group  403      403    ok        ok         ok          ok     ok
  internal  401        404group  403       403      403    ok        ok         ok          ok     ok
  public    401        403       403       403      403    ok        ok         ok          ok     ok
`

const kept = () => ({ path: { name: "kept" } })
const darkened = () => ({ path: { name: "kept" }, json: { color: "#000" } })

export const rowsOfProjects: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/labels", 200, reading],
  ["GET /projects/:id/labels/:name", 200, reading, kept],
  ["POST /projects/:id/labels", 201, managing, ({ own }) => ({ json: { name: `new-${own}`, color: "#fff" } })],
  ["PUT /projects/:id/labels/:name", 200, managing, darkened],
  ["DELETE /projects/:id/labels/:name", 204, managing, ({ own }) => ({ path: { name: own } })]
]

export const rowsOfGroups: ReadonlyArray<Row<InGroup>> = [
  ["GET /groups/:id/labels", 200, readingGroup],
  ["GET /groups/:id/labels/:name", 200, readingGroup, kept],
  ["POST /groups/:id/labels", 201, managingOfGroup, ({ own }) => ({ json: { name: `of-group-${own}`, color: "#fff" } })],
  ["PUT /groups/:id/labels/:name", 200, managingOfGroup, darkened],
  ["DELETE /groups/:id/labels/:name", 204, managingOfGroup, ({ own }) => ({ path: { name: own } })]
]
