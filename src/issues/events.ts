import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

const ids = Schema.Array(Schema.Int)

/** What people set in an issue. */
export const Attributes = Schema.Struct({
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** In the order in which they were given. */
  assigneeIds: ids,
  /** In no order that means anything. */
  labelIds: ids,
  milestoneId: Schema.NullOr(Schema.Int),
  /** The day is written `YYYY-MM-DD`. */
  dueDate: Schema.NullOr(Schema.String),
  /** Whether only Reporters, the author and assignees see it. */
  isConfidential: Schema.Boolean,
  /** Null until it is set. */
  isDiscussionLocked: Schema.NullOr(Schema.Boolean)
})
export type Attributes = typeof Attributes.Type

/** Some attributes with their new values. */
export const AttributeChanges = Attributes.mapFields(Struct.map(Schema.optionalKey))
export type AttributeChanges = typeof AttributeChanges.Type

export const IssueEvent = Schema.TaggedUnion({
  IssueOpened: {
    id: Schema.Int,
    authorId: Schema.Int,
    /** When it is said to have been opened, in milliseconds since 1970, where that is not the time of the event. */
    createdAt: Schema.optionalKey(Schema.Int),
    ...Attributes.fields
  },
  /** The changes hold only what differs from before. */
  IssueChanged: { changes: AttributeChanges },
  /** The merge request, by its id, is one whose merge closed the issue. */
  IssueClosed: { by: Schema.Int, mergeRequestId: Schema.optionalKey(Schema.Int) },
  IssueReopened: { by: Schema.Int },
  IssueDeleted: {}
})
export type IssueEvent = typeof IssueEvent.Type

export const issueCodec = eventCodec(IssueEvent)
