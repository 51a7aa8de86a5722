import {
  addingProjects,
  addingSubgroups,
  owningGroup,
  readingAsOwner,
  readingGroup,
  readingGroupMembers,
  readingNamespace,
  sharingGroup
} from "./rights.ts"
import type { Row } from "./row.ts"
import type { InGroup } from "./useWorld.ts"

const named = (name: string) => ({ name, path: name })

export const groupRows: ReadonlyArray<Row<InGroup>> = [
  ["GET /groups/:id", 200, readingGroup],
  ["GET /groups/:id/merge_requests", 200, readingGroup],
  ["GET /groups/:id/issues", 200, readingGroup],
  ["GET /groups/:id/releases", 200, readingGroup],
  ["GET /groups/:id/subgroups", 200, readingGroup],
  ["GET /groups/:id/descendant_groups", 200, readingGroup],
  ["GET /groups/:id/projects", 200, readingGroup],
  ["GET /groups/:id/groups/shared", 200, readingGroup],
  ["GET /groups/:id/invited_groups", 200, readingGroup],
  ["GET /namespaces/:id", 200, readingNamespace],
  [
    "POST /groups",
    201,
    addingSubgroups,
    ({ id, unique }) => ({ json: { ...named(`sub-${unique}`), parent_id: id } }),
    { when: "in a group" }
  ],
  [
    "POST /projects",
    201,
    addingProjects,
    ({ id, unique }) => ({ json: { ...named(`of-${unique}`), namespace_id: id } }),
    { when: "in a group" }
  ],
  ["PUT /groups/:id", 200, owningGroup, ({ unique }) => ({ json: { description: unique } })],
  ["GET /groups/:id/transfer_locations", 200, readingAsOwner],
  ["POST /groups/:id/transfer", 201, owningGroup, ({ doomed, shelf }) => ({ path: { id: doomed }, json: { group_id: shelf } })],
  ["DELETE /groups/:id", 202, owningGroup, ({ doomed }) => ({ path: { id: doomed } })],

  ["POST /groups/:id/share", 201, sharingGroup, ({ invited }) => ({ json: { group_id: invited, group_access: 10 } })],
  ["DELETE /groups/:id/share/:group_id", 204, owningGroup, ({ invitedBefore }) => ({ path: { group_id: invitedBefore } })],

  ["GET /groups/:id/members", 200, readingGroupMembers],
  ["GET /groups/:id/members/all", 200, readingGroupMembers],
  ["GET /groups/:id/members/:user_id", 200, readingGroupMembers, ({ member }) => ({ path: { user_id: member } })],
  ["GET /groups/:id/members/all/:user_id", 200, readingGroupMembers, ({ member }) => ({ path: { user_id: member } })],
  ["POST /groups/:id/members", 201, owningGroup, ({ newcomer }) => ({ json: { user_id: newcomer, access_level: 50 } })],
  [
    "PUT /groups/:id/members/:user_id",
    200,
    owningGroup,
    ({ member }) => ({ path: { user_id: member }, json: { access_level: 20 } })
  ],
  ["DELETE /groups/:id/members/:user_id", 204, owningGroup, ({ leaver }) => ({ path: { user_id: leaver } })]
]
