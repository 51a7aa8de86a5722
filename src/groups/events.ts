import { Schema, Struct } from "effect"
import { Visibility } from "../kernel/visibility.ts"
import { memberCases } from "../members/events.ts"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

export const ProjectCreationLevel = Schema.Literals(["noone", "maintainer", "developer"])
export const SubgroupCreationLevel = Schema.Literals(["owner", "maintainer"])
export const SharedRunnersSetting = Schema.Literals(["enabled", "disabled_and_overridable", "disabled_and_unoverridable"])

/** How the default branch of a new project is protected; levels of access. */
export const BranchProtectionDefaults = Schema.Struct({
  allowedToPush: Schema.Array(Schema.Int),
  allowForcePush: Schema.Boolean,
  allowedToMerge: Schema.Array(Schema.Int),
  developerCanInitialPush: Schema.Boolean
})
export type BranchProtectionDefaults = typeof BranchProtectionDefaults.Type

/** What may be set for a group, but for its path. */
export const GroupAttributes = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  visibility: Visibility,
  shareWithGroupLock: Schema.Boolean,
  requireTwoFactorAuthentication: Schema.Boolean,
  /** The period is in hours. */
  twoFactorGracePeriod: Schema.Int,
  projectCreationLevel: ProjectCreationLevel,
  autoDevopsEnabled: Schema.NullOr(Schema.Boolean),
  subgroupCreationLevel: SubgroupCreationLevel,
  emailsEnabled: Schema.Boolean,
  mentionsDisabled: Schema.NullOr(Schema.Boolean),
  lfsEnabled: Schema.Boolean,
  mathRenderingLimitsEnabled: Schema.Boolean,
  lockMathRenderingLimitsEnabled: Schema.Boolean,
  defaultBranch: Schema.NullOr(Schema.String),
  /** It is null, like its details, where the setting of the instance applies. */
  defaultBranchProtection: Schema.NullOr(Schema.Int),
  defaultBranchProtectionDefaults: Schema.NullOr(BranchProtectionDefaults),
  requestAccessEnabled: Schema.Boolean,
  sharedRunnersSetting: SharedRunnersSetting,
  preventSharingGroupsOutsideHierarchy: Schema.Boolean
})
export type GroupAttributes = typeof GroupAttributes.Type

/** Some attributes with their new values. */
export const AttributeChanges = GroupAttributes.mapFields(Struct.map(Schema.optionalKey))
export type AttributeChanges = typeof AttributeChanges.Type

/** A group's id is that of its namespace. Its members lie in its stream. */
export const GroupEvent = Schema.TaggedUnion({
  GroupCreated: {
    path: Schema.String,
    /** The namespace of the group above; null for a top-level group. */
    parentId: Schema.NullOr(Schema.Int),
    attributes: GroupAttributes,
    createdBy: Schema.NullOr(Schema.Int)
  },
  /** The group got another path below the same parent. */
  GroupRenamed: { parentId: Schema.NullOr(Schema.Int), from: Schema.String, to: Schema.String },
  /**
   * The group moved below another group, with all its descendants; null stands for the top level. `path` is the last segment of its
   * path, which stays.
   */
  GroupTransferred: { from: Schema.NullOr(Schema.Int), to: Schema.NullOr(Schema.Int), path: Schema.String },
  /** The changes hold only the attributes that differ from before. */
  GroupChanged: { changes: AttributeChanges },
  GroupDeleted: {},
  ...memberCases
})
export type GroupEvent = typeof GroupEvent.Type

export const groupCodec = eventCodec(GroupEvent)
