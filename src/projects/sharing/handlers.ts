import { Effect, Schema } from "effect"
import { Groups, mayInvite } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { badRequest, conflict, forbidden } from "../../http/answer/errors.ts"
import { integer, nullableDay } from "../../http/answer/fields.ts"
import { noContent, ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { shareEndpoints } from "../../members/contract.ts"
import { NotShared } from "../../members/errors.ts"
import { accessLevel } from "../../members/levels.ts"
import { notToBeShared, refusalOf } from "../../members/refusals.ts"
import { requireFuture, today } from "../../members/validity.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { projectAggregate } from "../aggregate.ts"
import { type ReadableProject, requireProject } from "../Projects.ts"
import { ProjectQueries, viewerOf } from "../Queries.ts"
import { managesUpTo, sendToMembers } from "./membership.ts"

/** A share as sharing answers it. */
const GroupLink = Schema.Struct({
  id: integer("ID of the share."),
  project_id: integer("ID of the project."),
  group_id: integer("ID of the group."),
  group_access: integer("The highest level of access that members of the group get."),
  expires_at: nullableDay("The day with whose beginning the share ends.")
}).annotate({ identifier: "ProjectGroupLink" })

const endpoints = shareEndpoints("projects", GroupLink)

const sharingDisabled = badRequest("The project sharing with group is disabled")
const sharedFromAbove = conflict("Project cannot be shared with the group it is in or one of its ancestors.")

interface ShareInput {
  /** The id, as a text; an empty one for none. */
  readonly group: string
  readonly accessLevel: number
  readonly expiresAt: string | null
}

/** The id of the group to invite. Refuses a share that the rules of groups do not allow. Groups are invited by their members. */
const requireAllowed = Effect.fnUntraced(function* (
  { project, principal }: ReadableProject,
  caller: Caller,
  shareInput: ShareInput
) {
  const groups = yield* Groups
  const rules = yield* groups.sharing(project.namespace_id)
  if (rules.areProjectsLocked) return yield* sharingDisabled
  if (shareInput.accessLevel > managesUpTo(principal, project)) return yield* forbidden
  const invited = yield* groups.find(shareInput.group, caller.user.id)
  if (invited?.namespace.kind !== "group" || (invited.role === 0 && !caller.user.admin)) return yield* notToBeShared
  const { id } = invited.namespace
  if (!(yield* mayInvite(rules, id))) return yield* notToBeShared
  if (rules.path.includes(id)) return yield* sharedFromAbove
  yield* requireFuture(shareInput.expiresAt)
  return id
})

/** Invites a group. */
const share = Effect.fnUntraced(function* (found: ReadableProject, caller: Caller, shareInput: ShareInput) {
  const { project, principal } = found
  const groupId = yield* requireAllowed(found, caller, shareInput)
  const share = {
    id: yield* nextId("group_share"),
    groupId,
    accessLevel: shareInput.accessLevel,
    expiresAt: shareInput.expiresAt
  }
  const acting = { today: yield* today, actingLevel: managesUpTo(principal, project) }
  return yield* sendToMembers(project.id, { _tag: "ShareWithGroup", ...share, ...acting })
})

const shareRoute = route(
  endpoints.share,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input, "admin_project")
    const { group_access: level, group_id: groupId, expires_at: expiresAt = null } = parameters
    const shareInput = { group: groupId?.toString() ?? "", accessLevel: level ?? accessLevel.none, expiresAt }
    const { project } = found
    const shared = changes(projectAggregate, project.id, share(found, caller, shareInput))
    const written = yield* Effect.mapError(shared, refusalOf("projects"))
    yield* awaitReadModels(written)
    const [invited] = written.events.flatMap((event) => (event._tag === "SharedWithGroup" ? [event] : []))
    if (invited === undefined) return yield* Effect.die(new Error("A share without an event"))
    return ok({
      id: invited.id,
      project_id: project.id,
      group_id: invited.groupId,
      group_access: invited.accessLevel,
      expires_at: invited.expiresAt
    })
  })
)

const unshareRoute = route(
  endpoints.unshare,
  Effect.fnUntraced(function* (input) {
    const { project, principal } = yield* requireProject(input, "admin_project")
    const groupId = input.parameters.group_id ?? (yield* refusalOf("projects")(new NotShared()))
    const shares = yield* ProjectQueries.use((projects) => projects.shares([project.id], viewerOf(input.caller)))
    const present = shares.find(({ group_id }) => group_id === groupId)
    if (present !== undefined) yield* requireUnmodified(present.created_at, input.request)
    const acting = { today: yield* today, actingLevel: managesUpTo(principal, project) }
    const command = { _tag: "EndSharing", groupId, ...acting } as const
    yield* awaitReadModels(yield* Effect.mapError(sendToMembers(project.id, command), refusalOf("projects")))
    return noContent
  })
)

export const projectShareRoutes = [shareRoute, unshareRoute]
