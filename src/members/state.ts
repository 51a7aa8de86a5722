import { HashMap, Option } from "effect"
import type { MemberEvent } from "./events.ts"

/** The access of a user; for an invited group, the highest access of its members. */
export interface Membership {
  readonly accessLevel: number
  /** The day is written `YYYY-MM-DD`; null for a membership without end. */
  readonly expiresAt: string | null
}

/** A persistent map, so that a long history is folded in linear time. */
type Memberships = HashMap.HashMap<number, Membership>

/** The members of a group or project, including those whose membership has ended. */
export interface Members {
  /** The members by the id of the user. */
  readonly users: Memberships
  /** The shares by the id of the invited group. */
  readonly groups: Memberships
}

export const noMembers: Members = { users: HashMap.empty(), groups: HashMap.empty() }

/** Whether a membership has ended on this day. */
export const hasEnded = ({ expiresAt }: Pick<Membership, "expiresAt">, today: string): boolean =>
  expiresAt !== null && expiresAt <= today

/** The membership that has not ended on this day. */
export const current = (memberships: Memberships, id: number, today: string): Membership | undefined => {
  const membership = Option.getOrUndefined(HashMap.get(memberships, id))
  return membership === undefined || hasEnded(membership, today) ? undefined : membership
}

const withOne = (memberships: Memberships, id: number, { accessLevel, expiresAt }: Membership): Memberships =>
  HashMap.set(memberships, id, { accessLevel, expiresAt })

/** Changes of somebody who is no member change nothing. */
export const evolveMembers = (members: Members, event: MemberEvent): Members => {
  const { groups, users } = members
  switch (event._tag) {
    case "MemberAdded":
      return { groups, users: withOne(users, event.userId, event) }
    case "MemberChanged":
      return HashMap.has(users, event.userId) ? { groups, users: withOne(users, event.userId, event) } : members
    case "MemberRemoved":
      return { groups, users: HashMap.remove(users, event.userId) }
    case "SharedWithGroup":
      return { users, groups: withOne(groups, event.groupId, event) }
    case "SharingEnded":
      return { users, groups: HashMap.remove(groups, event.groupId) }
  }
}
