import { HashMap, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import { isMoreVisible, type Visibility } from "../kernel/visibility.ts"
import { accessLevel } from "../members/levels.ts"
import { decideMember } from "../members/rules.ts"
import { current } from "../members/state.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import type { Change, Command, Create, Place, Transfer } from "./commands.ts"
import { GroupBelowItself, GroupExists, GroupInPlace, GroupInvalid, GroupMissing, GroupMoved, type Refusal } from "./errors.ts"
import { GroupEvent, groupCodec } from "./events.ts"
import { attributeFaults, type GroupFault, nestingFaults, pathFaults, pathIsTaken } from "./faults.ts"
import { groupStream } from "./ids.ts"
import { evolve, type Group, initial, type State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<GroupEvent>, Refusal>

const { cases } = GroupEvent

const invalid = (faults: ReadonlyArray<GroupFault>): Decision => Result.fail(new GroupInvalid({ faults }))

/** The one who creates a group is its first owner. */
const create = (command: Create): Decision => {
  const { ancestors, attributes, createdBy, parentId, parentVisibility, path, pathTaken } = command
  const surroundings = { parentVisibility, subgroupVisibility: null, projectVisibility: null }
  const faults = [
    ...attributeFaults(attributes, surroundings),
    ...pathFaults(path, parentId, pathTaken),
    ...nestingFaults(ancestors)
  ]
  if (faults.length > 0) return invalid(faults)
  const owner = { userId: createdBy, accessLevel: accessLevel.owner, expiresAt: null, addedBy: createdBy }
  return Result.succeed([cases.GroupCreated.make({ path, parentId, attributes, createdBy }), cases.MemberAdded.make(owner)])
}

const isAt = ({ parentId, path }: Place, group: Group): boolean => parentId === group.parentId && path === group.path

const change = (command: Change, group: Group): Decision => {
  const { from, path = group.path } = command
  const { parentId } = group
  if (from !== undefined && !isAt(from, group)) return Result.fail(new GroupMoved())
  const changes = effectiveChanges(command.changes, group.attributes)
  const isRenamed = path !== group.path
  const faults = [
    ...attributeFaults(changes, command.surroundings),
    ...(isRenamed ? pathFaults(path, parentId, command.pathTaken) : [])
  ]
  if (faults.length > 0) return invalid(faults)
  return Result.succeed([
    ...(isRenamed ? [cases.GroupRenamed.make({ parentId, from: group.path, to: path })] : []),
    ...(Object.keys(changes).length === 0 ? [] : [cases.GroupChanged.make({ changes })])
  ])
}

const limited = (highest: Visibility | null, { attributes: { visibility } }: Group): ReadonlyArray<GroupEvent> =>
  highest !== null && isMoreVisible(visibility, highest) ? [cases.GroupChanged.make({ changes: { visibility: highest } })] : []

/** Somebody has to own a top-level group; one below another may be owned from above. */
const owned = ({ by, parentId, today }: Transfer, { members: { users } }: Group): ReadonlyArray<GroupEvent> => {
  const isOwner = (id: number) => current(users, id, today)?.accessLevel === accessLevel.owner
  if (parentId !== null || HashMap.some(users, (_, id) => isOwner(id))) return []
  const owner = { userId: by, accessLevel: accessLevel.owner, expiresAt: null }
  return [HashMap.has(users, by) ? cases.MemberChanged.make(owner) : cases.MemberAdded.make({ ...owner, addedBy: by })]
}

const transfer = (command: Transfer, group: Group): Decision => {
  const { ancestors, from, isBelowItself, levelsBelow, parentId: to, parentVisibility, pathTaken } = command
  const { path } = group
  if (to === group.parentId) return Result.fail(new GroupInPlace())
  if (!isAt(from, group)) return Result.fail(new GroupMoved())
  if (pathTaken) return invalid([pathIsTaken])
  if (isBelowItself) return Result.fail(new GroupBelowItself())
  const faults = [...pathFaults(path, to, false), ...nestingFaults(ancestors + levelsBelow)]
  if (faults.length > 0) return invalid(faults)
  return Result.succeed([
    cases.GroupTransferred.make({ from: group.parentId, to, path }),
    ...limited(parentVisibility, group),
    ...owned(command, group)
  ])
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new GroupExists())
  if (state._tag !== "Present") return Result.fail(new GroupMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.group)
    case "Transfer":
      return transfer(command, state.group)
    case "LimitVisibility":
      return Result.succeed(limited(command.maxVisibility, state.group))
    case "Delete":
      return Result.succeed([cases.GroupDeleted.make({})])
    default:
      return decideMember(command, state.group.members)
  }
}

export const groupAggregate: Aggregate<number, Command, State, GroupEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: groupCodec,
  stream: groupStream
}
