import { HashMap, Result } from "effect"
import { AboveOwnLevel, LastOwner, MemberExists, MemberMissing, type MemberRefusal } from "./errors.ts"
import { MemberEvent } from "./events.ts"
import { accessLevel as level } from "./levels.ts"
import { decideShare, type ShareCommand } from "./shares.ts"
import { current, hasEnded, type Members, type Membership } from "./state.ts"

/** What every command about a user says. */
interface Common {
  readonly userId: number
  /** The day is written `YYYY-MM-DD`, in UTC. */
  readonly today: string
  /** Nobody gives, changes or takes away what is above this level. `Infinity` for administrators. */
  readonly actingLevel: number
}

export interface AddMember extends Common {
  readonly _tag: "AddMember"
  readonly accessLevel: number
  readonly expiresAt: string | null
  readonly addedBy: number | null
}

interface OwnerContext extends Common {
  /** Whether somebody else is owner too, here or by inheritance, as far as users exist. */
  readonly hasOtherOwner: boolean
  /** Whether somebody else is owner by inheritance. */
  readonly hasInheritedOwner: boolean
}

/** Absent settings stay as they are. */
export interface ChangeMember extends OwnerContext {
  readonly _tag: "ChangeMember"
  readonly accessLevel?: number
  readonly expiresAt?: string | null
}

export interface RemoveMember extends OwnerContext {
  readonly _tag: "RemoveMember"
}

/** Takes away what a user has because they left what lies above, whose owners remain. */
export interface EndMembership {
  readonly _tag: "EndMembership"
  readonly userId: number
}

export type MemberCommand = AddMember | ChangeMember | RemoveMember | EndMembership | ShareCommand

type Decision = Result.Result<ReadonlyArray<MemberEvent>, MemberRefusal>

const event = MemberEvent.cases

/** Owners by a share do not count: who is there without it must be able to end it. */
const isLastOwner = (command: ChangeMember | RemoveMember, { users }: Members): boolean => {
  const { userId, today, hasInheritedOwner, hasOtherOwner } = command
  if (hasInheritedOwner) return false
  const isOwner = (one: Membership, id: number) => id !== userId && one.accessLevel === level.owner && !hasEnded(one, today)
  const hasOther = HashMap.some(users, isOwner)
  return !hasOther || !hasOtherOwner
}

const add = ({ userId, accessLevel, expiresAt, addedBy, today, actingLevel }: AddMember, { users }: Members): Decision => {
  if (current(users, userId, today) !== undefined) return Result.fail(new MemberExists())
  if (accessLevel > actingLevel) return Result.fail(new AboveOwnLevel())
  return Result.succeed([event.MemberAdded.make({ userId, accessLevel, expiresAt, addedBy })])
}

const change = (command: ChangeMember, present: Membership, members: Members): Decision => {
  const { userId, accessLevel = present.accessLevel, expiresAt = present.expiresAt, actingLevel } = command
  if (Math.max(accessLevel, present.accessLevel) > actingLevel) return Result.fail(new AboveOwnLevel())
  if (accessLevel === present.accessLevel && expiresAt === present.expiresAt) return Result.succeed([])
  const staysOwner = accessLevel === level.owner && expiresAt === null
  if (present.accessLevel === level.owner && !staysOwner && isLastOwner(command, members)) return Result.fail(new LastOwner())
  return Result.succeed([event.MemberChanged.make({ userId, accessLevel, expiresAt })])
}

const remove = (command: RemoveMember, present: Membership, members: Members): Decision => {
  const { userId, actingLevel } = command
  if (present.accessLevel > actingLevel) return Result.fail(new AboveOwnLevel())
  if (present.accessLevel === level.owner && isLastOwner(command, members)) return Result.fail(new LastOwner())
  return Result.succeed([event.MemberRemoved.make({ userId })])
}

const end = ({ userId }: EndMembership, { users }: Members): Decision =>
  Result.succeed(HashMap.has(users, userId) ? [event.MemberRemoved.make({ userId })] : [])

/** What a command about a member comes to. Adding a member whose membership has ended makes a new one. */
export const decideMember = (command: MemberCommand, members: Members): Decision => {
  if (command._tag === "ShareWithGroup" || command._tag === "EndSharing") return decideShare(command, members)
  if (command._tag === "AddMember") return add(command, members)
  if (command._tag === "EndMembership") return end(command, members)
  const present = current(members.users, command.userId, command.today)
  if (present === undefined) return Result.fail(new MemberMissing())
  return command._tag === "ChangeMember" ? change(command, present, members) : remove(command, present, members)
}
