import { HashMap, Option } from "effect"
import type { MemberEvent } from "./events.ts"

/** What a user has; of an invited group, what its members have at most. */
export interface Membership {
  readonly accessLevel: number
  /** `YYYY-MM-DD`, null for one without end. */
  readonly expiresAt: string | null
}

/** Persistent, so that a long history is folded in the time that it takes to read it. */
type Memberships = HashMap.HashMap<number, Membership>

/** Who is in one group or project, and who was until their membership ended. */
export interface Members {
  /** By the id of the user. */
  readonly users: Memberships
  /** By the id of the group with which it is shared. */
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
