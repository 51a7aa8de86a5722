import type { Caller } from "../http/access/Caller.ts"
import { accessLevel } from "../members/levels.ts"
import { type FoundNamespace, type GroupRow, maySeeGroup } from "./Groups.ts"

/** A group with the role of the caller. */
export interface FoundGroup extends FoundNamespace {
  readonly namespace: GroupRow
}

const isAtLeast = (caller: Caller | undefined, role: number, level: number): boolean =>
  caller !== undefined && (caller.user.admin || role >= level)

/** Whether the caller may change and delete a group, and see what only owners see. */
export const mayAdminister = (caller: Caller | undefined, { role }: Pick<FoundNamespace, "role">): boolean =>
  isAtLeast(caller, role, accessLevel.owner)

/** Whether the caller may create groups at the top level. */
export const mayCreateGroups = ({ user }: Caller): boolean => user.admin || user.can_create_group

/** Whether the caller may create groups in a group: owners may, and maintainers unless the group says otherwise. */
export const mayCreateSubgroups = (caller: Caller, { namespace, role }: FoundGroup): boolean =>
  isAtLeast(caller, role, accessLevel[namespace.subgroup_creation_level])

/** Whether the caller, who may see the group, may read its members: a membership below a hidden group does not suffice. */
export const mayReadMembers = (caller: Caller, { namespace, role }: FoundGroup): boolean =>
  maySeeGroup(caller, { role, visibility: namespace.visibility, leadsToMembership: false })

/** The highest level that the caller may give members of the group: all for administrators and owners, none for others. */
export const membersManagedUpTo = (caller: Caller, { role }: FoundNamespace): number => {
  if (caller.user.admin) return Number.POSITIVE_INFINITY
  return role >= accessLevel.owner ? accessLevel.owner : 0
}

/** Whether the caller may see a namespace with the number of its members, which takes a role in it. */
export const mayReadNamespace = (caller: Caller, { role }: FoundNamespace): boolean => caller.user.admin || role > 0
