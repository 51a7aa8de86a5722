import { HashMap } from "effect"
import { defaultAttributes } from "#src/groups/attributes.ts"
import type { Change, Command, Create, Transfer } from "#src/groups/commands.ts"
import { GroupEvent } from "#src/groups/events.ts"
import type { Group, State } from "#src/groups/state.ts"

export const attributes = defaultAttributes("Engineering")

export const create: Create = {
  _tag: "Create",
  path: "engineering",
  parentId: null,
  ancestors: 0,
  parentVisibility: null,
  attributes,
  createdBy: 1,
  pathTaken: false
}

export const alone = { parentVisibility: null, subgroupVisibility: null, projectVisibility: null }
export const change: Change = { _tag: "Change", changes: { name: "Research" }, surroundings: alone, pathTaken: false }

export const created = GroupEvent.cases.GroupCreated.make({ path: "engineering", parentId: null, attributes, createdBy: 1 })
export const ownerAdded = GroupEvent.cases.MemberAdded.make({ userId: 1, accessLevel: 50, expiresAt: null, addedBy: 1 })

export const group: Group = {
  path: "engineering",
  parentId: null,
  attributes,
  members: { users: HashMap.make([1, { accessLevel: 50, expiresAt: null }]), groups: HashMap.empty() }
}

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", group },
  Deleted: { _tag: "Deleted" }
}

export const transfer: Transfer = {
  _tag: "Transfer",
  from: { parentId: null, path: "engineering" },
  parentId: 7,
  parentVisibility: "private",
  ancestors: 1,
  levelsBelow: 0,
  isBelowItself: false,
  pathTaken: false,
  by: 3,
  today: "2024-06-30"
}

const common = { today: "2024-06-30", actingLevel: 50 }
const losing = { ...common, hasOtherOwner: false, hasInheritedOwner: false }

export const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Create: create,
  Change: change,
  Transfer: transfer,
  LimitVisibility: { _tag: "LimitVisibility", maxVisibility: "private" },
  Delete: { _tag: "Delete" },
  AddMember: { _tag: "AddMember", userId: 2, accessLevel: 30, expiresAt: null, addedBy: 1, ...common },
  ChangeMember: { _tag: "ChangeMember", userId: 1, accessLevel: 40, ...losing },
  RemoveMember: { _tag: "RemoveMember", userId: 2, ...losing },
  EndMembership: { _tag: "EndMembership", userId: 1 },
  ShareWithGroup: { _tag: "ShareWithGroup", id: 3, groupId: 8, accessLevel: 30, expiresAt: null, ...common },
  EndSharing: { _tag: "EndSharing", groupId: 8, ...common }
}
