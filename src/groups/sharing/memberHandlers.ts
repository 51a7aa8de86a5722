import { Effect } from "effect"
import { memberRoutes } from "../../members/handlers.ts"
import { groupLevels } from "../../members/levels.ts"
import type { MemberCommand } from "../../members/rules.ts"
import { handle } from "../../platform/Commands.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { changes } from "../../platform/repeats.ts"
import { Users } from "../../users/Users.ts"
import { groupAggregate } from "../aggregate.ts"
import { GroupProjects } from "../GroupProjects.ts"
import type { Groups } from "../Groups.ts"
import { mayReadMembers, membersManagedUpTo } from "../permissions.ts"
import { GroupQueries } from "../Queries.ts"
import { groupNotFound, requireGroup } from "../requireGroup.ts"

/** Sends a command about the members of a group, or about those with whom it is shared. */
export const sendToMembers = (id: number, command: MemberCommand) =>
  handle(groupAggregate, id, command).pipe(
    Effect.catchTags({
      GroupMissing: () => Effect.fail(groupNotFound),
      GroupExists: (refusal) => Effect.die(refusal),
      GroupInvalid: (refusal) => Effect.die(refusal),
      GroupInPlace: (refusal) => Effect.die(refusal),
      GroupBelowItself: (refusal) => Effect.die(refusal),
      GroupMoved: (refusal) => Effect.die(refusal)
    })
  )

/** A group may be gone by now. */
const removeFrom = (id: number, userId: number) =>
  handle(groupAggregate, id, { _tag: "EndMembership", userId }).pipe(
    Effect.map(({ position }) => position),
    Effect.catchTag("GroupMissing", () => Effect.succeed(0)),
    Effect.orDie
  )

const removeBelow = Effect.fnUntraced(function* (id: number, userId: number) {
  const queries = yield* GroupQueries
  const below = yield* queries.descendants(id)
  const positions = yield* Effect.forEach(yield* queries.membershipsIn(below, userId), (each) => removeFrom(each, userId))
  const inProjects = yield* GroupProjects.use((projects) => projects.removeMember([id, ...below], userId))
  return Math.max(inProjects, ...positions)
})

export const groupMemberRoutes = memberRoutes<EventStore | GroupProjects | Groups | GroupQueries | Users>({
  area: "groups",
  levels: groupLevels,
  open: (input) =>
    Effect.map(requireGroup(input), (found) => ({
      id: found.namespace.id,
      mayReadMembers: mayReadMembers(input.caller, found),
      managesUpTo: membersManagedUpTo(input.caller, found)
    })),
  questions: GroupQueries.use(({ members }) => Effect.succeed(members)),
  findUser: (idOrUsername) => Users.use((users) => users.findByIdOrUsername(idOrUsername)),
  send: sendToMembers,
  changes: (id, make) => changes(groupAggregate, id, make),
  removeBelow
})
