import { bringing, forking, maintaining, owning, reading, readingAsUser } from "./rights.ts"
import type { Row } from "./row.ts"
import { newKeyText } from "./seed.ts"
import type { InProject } from "./useWorld.ts"

export const projectRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id", 200, reading],
  ["GET /projects/:id/users", 200, reading],
  ["GET /projects/:id/forks", 200, reading],
  ["GET /projects/:id/starrers", 200, reading],
  ["POST /projects/:id/star", 201, readingAsUser],
  ["POST /projects/:id/unstar", 201, readingAsUser, ({ doomed }) => ({ path: { id: doomed } })],
  ["PUT /projects/:id", 200, maintaining, ({ own }) => ({ json: { description: own } })],
  [
    "PUT /projects/:id",
    200,
    owning,
    ({ doomed, unique }) => ({ path: { id: doomed }, json: { name: `new-${unique}` } }),
    { when: "renames it" }
  ],
  [
    "PUT /projects/:id",
    200,
    owning,
    ({ doomed }) => ({ path: { id: doomed }, json: { visibility: "private" } }),
    { when: "hides it" }
  ],
  ["POST /projects/:id/archive", 201, owning, ({ doomed }) => ({ path: { id: doomed } })],
  ["POST /projects/:id/unarchive", 201, owning, ({ doomed }) => ({ path: { id: doomed } })],
  ["POST /projects/:id/fork", 201, forking, ({ unique }) => ({ json: { name: `fork-${unique}`, path: `fork-${unique}` } })],

  ["GET /projects/:id/members", 200, readingAsUser],
  ["GET /projects/:id/members/all", 200, readingAsUser],
  ["GET /projects/:id/members/:user_id", 200, readingAsUser, ({ member }) => ({ path: { user_id: member } })],
  ["GET /projects/:id/members/all/:user_id", 200, readingAsUser, ({ member }) => ({ path: { user_id: member } })],
  ["POST /projects/:id/members", 201, maintaining, ({ newcomer }) => ({ json: { user_id: newcomer, access_level: 10 } })],
  [
    "PUT /projects/:id/members/:user_id",
    200,
    maintaining,
    ({ member }) => ({ path: { user_id: member }, json: { access_level: 20 } })
  ],
  [
    "POST /projects/:id/members",
    201,
    owning,
    ({ doomed, newcomer }) => ({ path: { id: doomed }, json: { user_id: newcomer, access_level: 50 } }),
    { when: "as an Owner" }
  ],
  ["DELETE /projects/:id/members/:user_id", 204, maintaining, ({ leaver }) => ({ path: { user_id: leaver } })],

  ["POST /projects/:id/share", 201, maintaining, ({ invited }) => ({ json: { group_id: invited, group_access: 10 } })],
  ["DELETE /projects/:id/share/:group_id", 204, maintaining, ({ invitedBefore }) => ({ path: { group_id: invitedBefore } })],
  ["GET /projects/:id/groups", 200, reading],
  ["GET /projects/:id/invited_groups", 200, reading],
  ["GET /projects/:id/transfer_locations", 200, owning],
  [
    "POST /groups/:id/projects/:project_id",
    201,
    bringing,
    ({ doomed, invitedBefore }) => ({ path: { id: invitedBefore, project_id: doomed } })
  ],
  ["PUT /projects/:id/transfer", 200, owning, ({ doomed, own }) => ({ path: { id: doomed }, json: { namespace: own } })],

  ["GET /projects/:id/protected_branches", 200, maintaining],
  ["GET /projects/:id/protected_branches/:name", 200, maintaining, () => ({ path: { name: "kept" } })],
  ["POST /projects/:id/protected_branches", 201, maintaining, ({ own }) => ({ json: { name: `new-${own}` } })],
  [
    "PATCH /projects/:id/protected_branches/:name",
    200,
    maintaining,
    () => ({ path: { name: "kept" }, json: { allow_force_push: true } })
  ],
  ["DELETE /projects/:id/protected_branches/:name", 204, maintaining, ({ own }) => ({ path: { name: `open-${own}` } })],
  ["GET /projects/:id/protected_tags", 200, maintaining],
  ["GET /projects/:id/protected_tags/:name", 200, maintaining, () => ({ path: { name: "kept" } })],
  ["POST /projects/:id/protected_tags", 201, maintaining, ({ own }) => ({ json: { name: `new-${own}` } })],
  ["DELETE /projects/:id/protected_tags/:name", 204, maintaining, ({ own }) => ({ path: { name: `open-${own}` } })],

  ["GET /projects/:id/deploy_keys", 200, maintaining],
  ["GET /projects/:id/deploy_keys/:key_id", 200, maintaining, ({ key }) => ({ path: { key_id: key } })],
  ["POST /projects/:id/deploy_keys", 201, maintaining, () => ({ json: { title: "new", key: newKeyText() } })],
  ["PUT /projects/:id/deploy_keys/:key_id", 200, maintaining, ({ key }) => ({ path: { key_id: key }, json: { can_push: true } })],
  ["POST /projects/:id/deploy_keys/:key_id/enable", 201, maintaining, ({ publicKey }) => ({ path: { key_id: publicKey } })],
  ["DELETE /projects/:id/deploy_keys/:key_id", 204, maintaining, ({ leavingKey }) => ({ path: { key_id: leavingKey } })],

  ["DELETE /projects/:id", 202, owning, ({ doomed }) => ({ path: { id: doomed } })]
]
