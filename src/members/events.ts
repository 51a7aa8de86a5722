import { Schema } from "effect"

// Storage format: add cases and optional fields, never rename.

const membership = {
  userId: Schema.Int,
  accessLevel: Schema.Int,
  /** `YYYY-MM-DD`: the membership ends when this day begins, UTC. Null for one without end. */
  expiresAt: Schema.NullOr(Schema.String)
}

/** Cases for the events of everything that has members; they lie in its own stream. */
export const memberCases = {
  /** `addedBy` is null for a member whom nobody added. Replaces a membership that has ended. */
  MemberAdded: { ...membership, addedBy: Schema.NullOr(Schema.Int) },
  MemberChanged: membership,
  MemberRemoved: { userId: Schema.Int }
}

export const MemberEvent = Schema.TaggedUnion(memberCases)
export type MemberEvent = typeof MemberEvent.Type
