import { Effect } from "effect"
import { type GroupConditions, Groups, invitations, invitationsOf, type RelatedToProject, viewerOf } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { page } from "../../http/answer/Reply.ts"
import { groupReference } from "../../http/answer/references.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import { requireProject } from "../Projects.ts"
import { listInvitedGroups, listProjectGroups } from "./groupContract.ts"

interface ListInput {
  readonly caller: Caller | undefined
  readonly parameters: object
  readonly request: RequestInfo
}

const listed = Effect.fnUntraced(function* (input: ListInput, relation: RelatedToProject, conditions: GroupConditions) {
  const { caller, parameters, request } = input
  const groups = yield* Groups
  const { rows, total } = yield* groups.relatedToProject(relation, viewerOf(caller), conditions, pageOf({ ...parameters }))
  return page(
    rows.map((row) => groupReference(row, request.externalUrl)),
    total
  )
})

const list = route(
  listProjectGroups,
  Effect.fnUntraced(function* (input) {
    const { id: projectId } = (yield* requireProject(input)).project
    const { search, shared_min_access_level: minInvitation, skip_groups: skip, with_shared: withShared } = input.parameters
    const relation = { projectId, withAncestors: true, invited: withShared ? invitations : [] }
    return yield* listed(
      input,
      defined({ ...relation, minInvitation: minInvitation || undefined }),
      defined({ search: search || undefined, skip: skip ?? undefined })
    )
  })
)

const listInvited = route(
  listInvitedGroups,
  Effect.fnUntraced(function* (input) {
    const { id: projectId } = (yield* requireProject(input)).project
    const { min_access_level: minAccessLevel, relation: invited, search } = input.parameters
    return yield* listed(
      input,
      { projectId, withAncestors: false, invited: invitationsOf(invited) },
      defined({ search: search || undefined, minAccessLevel: minAccessLevel || undefined })
    )
  })
)

export const projectGroupRoutes = [list, listInvited]
