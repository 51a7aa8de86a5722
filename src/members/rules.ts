import { Data, Result } from "effect"
import { MemberEvent } from "./events.ts"
import { accessLevel as level } from "./levels.ts"

export interface Membership {
  readonly accessLevel: number
  /** `YYYY-MM-DD`, null for one without end. */
  readonly expiresAt: string | null
}

/** Members of one group or project by the id of the user, those whose membership has ended too. */
export type Members = ReadonlyMap<number, Membership>

export const noMembers: Members = new Map()

/** What every command about a member says. */
interface Common {
  readonly userId: number
  /** `YYYY-MM-DD`, UTC. */
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

interface Losing extends Common {
  /** Whether somebody else is owner too, here or by inheritance, as far as users exist. */
  readonly hasOtherOwner: boolean
  /** Whether somebody else is owner by inheritance. */
  readonly hasInheritedOwner: boolean
}

/** What is absent stays as it is. */
export interface ChangeMember extends Losing {
  readonly _tag: "ChangeMember"
  readonly accessLevel?: number
  readonly expiresAt?: string | null
}

export interface RemoveMember extends Losing {
  readonly _tag: "RemoveMember"
}

export type MemberCommand = AddMember | ChangeMember | RemoveMember

export class MemberExists extends Data.TaggedError("MemberExists") {}

/** The user is no member here, or no longer. */
export class MemberMissing extends Data.TaggedError("MemberMissing") {}

/** Without this member nobody would be owner. */
export class LastOwner extends Data.TaggedError("LastOwner") {}

/** The level given, or the member's own, is above that of the one who acts. */
export class AboveOwnLevel extends Data.TaggedError("AboveOwnLevel") {}

export type MemberRefusal = MemberExists | MemberMissing | LastOwner | AboveOwnLevel

type Decision = Result.Result<ReadonlyArray<MemberEvent>, MemberRefusal>

const event = MemberEvent.cases

/** Whether a membership has ended on this day. */
export const hasEnded = ({ expiresAt }: Pick<Membership, "expiresAt">, today: string): boolean =>
  expiresAt !== null && expiresAt <= today

const current = (members: Members, userId: number, today: string): Membership | undefined => {
  const membership = members.get(userId)
  return membership === undefined || hasEnded(membership, today) ? undefined : membership
}

const isLastOwner = (command: ChangeMember | RemoveMember, members: Members): boolean => {
  const { userId, today, hasInheritedOwner, hasOtherOwner } = command
  if (hasInheritedOwner) return false
  const others = [...members].filter(([id]) => id !== userId)
  const isShared = others.some(([, one]) => one.accessLevel === level.owner && !hasEnded(one, today))
  return !isShared || !hasOtherOwner
}

const add = ({ userId, accessLevel, expiresAt, addedBy, today, actingLevel }: AddMember, members: Members): Decision => {
  if (current(members, userId, today) !== undefined) return Result.fail(new MemberExists())
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

/** What a command about a member comes to. Adding a member whose membership has ended makes a new one. */
export const decideMember = (command: MemberCommand, members: Members): Decision => {
  if (command._tag === "AddMember") return add(command, members)
  const present = current(members, command.userId, command.today)
  if (present === undefined) return Result.fail(new MemberMissing())
  return command._tag === "ChangeMember" ? change(command, present, members) : remove(command, present, members)
}

/** Changes of somebody who is no member change nothing. */
export const evolveMembers = (members: Members, happened: MemberEvent): Members => {
  const { userId } = happened
  if (happened._tag === "MemberRemoved") return new Map([...members].filter(([id]) => id !== userId))
  if (happened._tag === "MemberChanged" && !members.has(userId)) return members
  const { accessLevel, expiresAt } = happened
  return new Map(members).set(userId, { accessLevel, expiresAt })
}
