import { Effect } from "effect"
import { noContent, ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { shareEndpoints } from "../../members/contract.ts"
import { NotShared } from "../../members/errors.ts"
import { accessLevel as levels } from "../../members/levels.ts"
import { notToBeShared, refusalOf } from "../../members/refusals.ts"
import { requireFuture, today } from "../../members/validity.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { groupAggregate } from "../aggregate.ts"
import { Groups, mayInvite } from "../Groups.ts"
import { type FoundGroup, mayAdminister } from "../permissions.ts"
import { details } from "../reads/details.ts"
import { findReadable, type GroupInput, requireGroup } from "../requireGroup.ts"
import { GroupDetails } from "../shapes.ts"
import { sendToMembers } from "./memberHandlers.ts"

const endpoints = shareEndpoints("groups", GroupDetails)

interface ShareInput {
  /** The id, as a text; an empty one for none. */
  readonly group: string
  readonly accessLevel: number
  readonly expiresAt: string | null
}

/** Invites a group. */
const share = Effect.fnUntraced(function* (
  found: FoundGroup,
  { caller }: Pick<GroupInput, "caller">,
  { accessLevel, expiresAt, group }: ShareInput
) {
  const { id } = found.namespace
  const { namespace: invited } = yield* findReadable(group, caller)
  const rules = yield* Groups.use((groups) => groups.sharing(id))
  if (!mayAdminister(caller, found) || !(yield* mayInvite(rules, invited.id))) return yield* notToBeShared
  yield* requireFuture(expiresAt)
  const share = { id: yield* nextId("group_share"), groupId: invited.id, accessLevel, expiresAt }
  const acting = { today: yield* today, actingLevel: Number.POSITIVE_INFINITY }
  return yield* sendToMembers(id, { _tag: "ShareWithGroup", ...share, ...acting })
})

const shareRoute = route(
  endpoints.share,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireGroup(input)
    const { group_access: accessLevel, group_id: groupId, expires_at: expiresAt = null } = parameters
    const shareInput = { group: groupId?.toString() ?? "", accessLevel: accessLevel ?? levels.none, expiresAt }
    const shared = changes(groupAggregate, found.namespace.id, share(found, input, shareInput))
    yield* awaitReadModels(yield* Effect.mapError(shared, refusalOf("groups")))
    return ok(yield* details(found, { caller, request }))
  })
)

const unshareRoute = route(
  endpoints.unshare,
  Effect.fnUntraced(function* (input) {
    const { id } = (yield* requireGroup(input, "administer")).namespace
    const groupId = input.parameters.group_id ?? (yield* refusalOf("groups")(new NotShared()))
    const acting = { today: yield* today, actingLevel: Number.POSITIVE_INFINITY }
    const command = { _tag: "EndSharing", groupId, ...acting } as const
    yield* awaitReadModels(yield* Effect.mapError(sendToMembers(id, command), refusalOf("groups")))
    return noContent
  })
)

export const groupShareRoutes = [shareRoute, unshareRoute]
