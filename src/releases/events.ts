import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** What an asset is. */
export const LinkType = Schema.Literals(["other", "runbook", "image", "package"])

/** Something that belongs to a release and lies elsewhere. */
export const Link = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Schema.String,
  /** The path below that of the release under which it can be had, too. */
  path: Schema.NullOr(Schema.String),
  type: LinkType
})
export type Link = typeof Link.Type

const attributes = {
  /** Null where it is called as its tag. */
  name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  /** In milliseconds since 1970; null where nobody has said: then it is the time at which it was created. */
  releasedAt: Schema.NullOr(Schema.Int),
  milestoneIds: Schema.Array(Schema.Int)
}

export const ReleaseEvent = Schema.TaggedUnion({
  /** The commit is that of the tag then; null where the tag leads to none. */
  ReleaseCreated: { id: Schema.Int, by: Schema.Int, sha: Schema.NullOr(Schema.String), links: Schema.Array(Link), ...attributes },
  /** Only what differs from before. */
  ReleaseChanged: {
    by: Schema.Int,
    name: Schema.optionalKey(attributes.name),
    description: Schema.optionalKey(attributes.description),
    releasedAt: Schema.optionalKey(Schema.Int),
    milestoneIds: Schema.optionalKey(attributes.milestoneIds)
  },
  /** With its links and evidences; the tag stays. */
  ReleaseDeleted: { by: Schema.Int },
  ReleaseLinkAdded: { by: Schema.Int, link: Link },
  ReleaseLinkChanged: { by: Schema.Int, link: Link },
  ReleaseLinkRemoved: { by: Schema.Int, id: Schema.Int },
  /** What it contained at a position of the log, as JSON, with the SHA-256 of that text. */
  EvidenceCollected: { position: Schema.Int, summary: Schema.String, sha256: Schema.String }
})
export type ReleaseEvent = typeof ReleaseEvent.Type

export const releaseCodec = eventCodec(ReleaseEvent)
