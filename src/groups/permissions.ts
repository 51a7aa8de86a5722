import type { Caller } from "../http/access/Caller.ts"
import { accessLevel } from "../members/levels.ts"
import type { FoundNamespace, GroupRow } from "./Groups.ts"

/** A group with the role of the caller. */
export interface FoundGroup extends FoundNamespace {
  readonly namespace: GroupRow
}

const isAtLeast = (caller: Caller | undefined, role: number, level: number): boolean =>
  caller !== undefined && (caller.user.admin || role >= level)

/** Who may change, delete and see what only owners see of a group. */
export const mayAdminister = (caller: Caller | undefined, { role }: Pick<FoundNamespace, "role">): boolean =>
  isAtLeast(caller, role, accessLevel.owner)

/** Who may create groups at the top level. */
export const mayCreateGroups = ({ user }: Caller): boolean => user.admin || user.can_create_group

/** Who may create groups in a group: owners, and maintainers unless the group says otherwise. */
export const mayCreateSubgroups = (caller: Caller, { namespace, role }: FoundGroup): boolean =>
  isAtLeast(caller, role, accessLevel[namespace.subgroup_creation_level])

/** The highest level that the caller may give members of the group: all for administrators and owners, none for others. */
export const membersManagedUpTo = (caller: Caller, { role }: FoundNamespace): number => {
  if (caller.user.admin) return Number.POSITIVE_INFINITY
  return role >= accessLevel.owner ? accessLevel.owner : 0
}

/** Who may see a namespace with its members' number: those who are in it. */
export const mayReadNamespace = (caller: Caller, { role }: FoundNamespace): boolean => caller.user.admin || role > 0
