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

const darkenedByName = () => ({ json: { name: "kept", color: "#000" } })
const removedByName = ({ own }: { readonly own: string }) => ({ json: { name: `${own}-too` } })

const one = ({ milestone }: Pick<InGroup, "milestone">) => ({ path: { milestone_id: milestone } })
const closed = (at: Pick<InGroup, "milestone">) => ({ ...one(at), json: { state_event: "close" } })
const doomed = ({ doomedMilestone }: Pick<InGroup, "doomedMilestone">) => ({ path: { milestone_id: doomedMilestone } })

export const rowsOfProjects: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/labels", 200, reading],
  ["GET /projects/:id/labels/:name", 200, reading, kept],
  ["POST /projects/:id/labels", 201, managing, ({ own }) => ({ json: { name: `new-${own}`, color: "#fff" } })],
  ["PUT /projects/:id/labels/:name", 200, managing, darkened],
  ["DELETE /projects/:id/labels/:name", 204, managing, ({ own }) => ({ path: { name: own } })],
  ["PUT /projects/:id/labels", 200, managing, darkenedByName],
  ["DELETE /projects/:id/labels", 204, managing, removedByName],

  ["GET /projects/:id/milestones", 200, reading],
  ["GET /projects/:id/milestones/:milestone_id", 200, reading, one],
  ["GET /projects/:id/milestones/:milestone_id/merge_requests", 200, reading, one],
  ["GET /projects/:id/milestones/:milestone_id/issues", 200, reading, one],
  ["POST /projects/:id/milestones", 201, managing, ({ own }) => ({ json: { title: `new-${own}` } })],
  ["PUT /projects/:id/milestones/:milestone_id", 200, managing, closed],
  ["DELETE /projects/:id/milestones/:milestone_id", 204, managing, doomed]
]

export const rowsOfGroups: ReadonlyArray<Row<InGroup>> = [
  ["GET /groups/:id/labels", 200, readingGroup],
  ["GET /groups/:id/labels/:name", 200, readingGroup, kept],
  ["POST /groups/:id/labels", 201, managingOfGroup, ({ own }) => ({ json: { name: `of-group-${own}`, color: "#fff" } })],
  ["PUT /groups/:id/labels/:name", 200, managingOfGroup, darkened],
  ["DELETE /groups/:id/labels/:name", 204, managingOfGroup, ({ own }) => ({ path: { name: own } })],
  ["PUT /groups/:id/labels", 200, managingOfGroup, darkenedByName],
  ["DELETE /groups/:id/labels", 204, managingOfGroup, removedByName],

  ["GET /groups/:id/milestones", 200, readingGroup],
  ["GET /groups/:id/milestones/:milestone_id", 200, readingGroup, one],
  ["GET /groups/:id/milestones/:milestone_id/merge_requests", 200, readingGroup, one],
  ["GET /groups/:id/milestones/:milestone_id/issues", 200, readingGroup, one],
  ["POST /groups/:id/milestones", 201, managingOfGroup, ({ own }) => ({ json: { title: `of-group-${own}` } })],
  ["PUT /groups/:id/milestones/:milestone_id", 200, managingOfGroup, closed],
  ["DELETE /groups/:id/milestones/:milestone_id", 204, managingOfGroup, doomed]
]
