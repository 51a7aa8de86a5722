import { Schema } from "effect"

// Storage format: add cases and optional fields, never rename.

const membership = {
  accessLevel: Schema.Int,
  /** The membership ends when this day, `YYYY-MM-DD` in UTC, begins. It is null for a membership without end. */
  expiresAt: Schema.NullOr(Schema.String)
}

/** Cases for the events of everything that has members; they lie in its own stream. */
export const memberCases = {
  /** `addedBy` is null for a member whom nobody added. Replaces a membership that has ended. */
  MemberAdded: { userId: Schema.Int, ...membership, addedBy: Schema.NullOr(Schema.Int) },
  MemberChanged: { userId: Schema.Int, ...membership },
  MemberRemoved: { userId: Schema.Int },
  /** The members of a group are members from now on, up to this level. Replaces a share that has ended. */
  SharedWithGroup: { id: Schema.Int, groupId: Schema.Int, ...membership },
  SharingEnded: { groupId: Schema.Int }
}

export const MemberEvent = Schema.TaggedUnion(memberCases)
export type MemberEvent = typeof MemberEvent.Type
