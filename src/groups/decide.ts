import { Result } from "effect"
import { accessLevel } from "../members/levels.ts"
import { decideMember } from "../members/rules.ts"
import { differing } from "./attributes.ts"
import type { Change, Command, Create } from "./commands.ts"
import { type Fault, GroupExists, GroupInvalid, GroupMissing, type Refusal } from "./errors.ts"
import { GroupEvent } from "./events.ts"
import { attributeFaults, pathFaults } from "./faults.ts"
import type { Group, State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<GroupEvent>, Refusal>

const event = GroupEvent.cases

const invalid = (faults: ReadonlyArray<Fault>): Decision => Result.fail(new GroupInvalid({ faults }))

/** The one who creates a group is its first owner. */
const create = ({ path, parentId, parentVisibility, attributes, createdBy, pathTaken }: Create): Decision => {
  const around = { parentVisibility, subgroupVisibility: null, projectVisibility: null }
  const faults = [...attributeFaults(attributes, around), ...pathFaults(path, parentId, pathTaken)]
  if (faults.length > 0) return invalid(faults)
  const owner = { userId: createdBy, accessLevel: accessLevel.owner, expiresAt: null, addedBy: createdBy }
  return Result.succeed([event.GroupCreated.make({ path, parentId, attributes, createdBy }), event.MemberAdded.make(owner)])
}

const change = (command: Change, group: Group): Decision => {
  const { path = group.path } = command
  const { parentId } = group
  const changes = differing(command.changes, group.attributes)
  const isRenamed = path !== group.path
  const faults = [
    ...attributeFaults(changes, command.surroundings),
    ...(isRenamed ? pathFaults(path, parentId, command.pathTaken) : [])
  ]
  if (faults.length > 0) return invalid(faults)
  return Result.succeed([
    ...(isRenamed ? [event.GroupRenamed.make({ parentId, from: group.path, to: path })] : []),
    ...(Object.keys(changes).length === 0 ? [] : [event.GroupChanged.make({ changes })])
  ])
}

export const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Create") return state._tag === "Absent" ? create(command) : Result.fail(new GroupExists())
  if (state._tag !== "Present") return Result.fail(new GroupMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.group)
    case "Delete":
      return Result.succeed([event.GroupDeleted.make({})])
    default:
      return decideMember(command, state.group.members)
  }
}
