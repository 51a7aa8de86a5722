import { Result } from "effect"
import { AboveOwnLevel, AlreadyShared, type MemberRefusal, NotShared } from "./errors.ts"
import { MemberEvent } from "./events.ts"
import { current, type Members } from "./state.ts"

interface Common {
  readonly groupId: number
  /** The day is written `YYYY-MM-DD`, in UTC. */
  readonly today: string
  /** Nobody gives or takes away what is above this level. `Infinity` for administrators. */
  readonly actingLevel: number
}

export interface ShareWithGroup extends Common {
  readonly _tag: "ShareWithGroup"
  /** The id of the share, unique in the installation. */
  readonly id: number
  readonly accessLevel: number
  readonly expiresAt: string | null
}

export interface EndSharing extends Common {
  readonly _tag: "EndSharing"
}

export type ShareCommand = ShareWithGroup | EndSharing

type Decision = Result.Result<ReadonlyArray<MemberEvent>, MemberRefusal>

const event = MemberEvent.cases

/** What a command about an invited group comes to. Inviting one whose share has ended makes a new share. */
export const decideShare = (command: ShareCommand, { groups }: Members): Decision => {
  const { actingLevel, groupId, today } = command
  const present = current(groups, groupId, today)
  if (command._tag === "EndSharing") {
    if (present === undefined) return Result.fail(new NotShared())
    if (present.accessLevel > actingLevel) return Result.fail(new AboveOwnLevel())
    return Result.succeed([event.SharingEnded.make({ groupId })])
  }
  const { accessLevel, expiresAt, id } = command
  if (present !== undefined) return Result.fail(new AlreadyShared())
  if (accessLevel > actingLevel) return Result.fail(new AboveOwnLevel())
  return Result.succeed([event.SharedWithGroup.make({ id, groupId, accessLevel, expiresAt })])
}
