import { Schema } from "effect"
import { memberCases } from "../members/events.ts"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { ProjectSettings, SettingsChanges } from "./settings/settings.ts"

// Storage format: add cases and optional fields, never rename.

export const RefKind = Schema.Literals(["branch", "tag"])
export type RefKind = typeof RefKind.Type

/** A grant on a protected branch or tag: the lowest access level, 0 for nobody, 60 for administrators. */
const Grant = Schema.Struct({ id: Schema.Int, accessLevel: Schema.Int })
export type Grant = typeof Grant.Type

/** Protection of the branches or tags of a name; `*` stands for any characters. Tags have no `merge`. */
export const Protection = Schema.Struct({
  id: Schema.Int,
  kind: RefKind,
  name: Schema.String,
  allowForcePush: Schema.Boolean,
  push: Schema.Array(Grant),
  merge: Schema.Array(Grant)
})
export type Protection = typeof Protection.Type

/** Branches are without `refs/heads/`. */
export const ProjectEvent = Schema.TaggedUnion({
  ProjectCreated: {
    namespaceId: Schema.Int,
    creatorId: Schema.Int,
    path: Schema.String,
    /** The branch that becomes the default one when it is pushed; null for any. */
    defaultBranch: Schema.NullOr(Schema.String),
    settings: ProjectSettings,
    /** The project that it is a fork of. */
    forkedFrom: Schema.NullOr(Schema.Int)
  },
  /** The changes hold only the settings that differ from before. */
  ProjectSettingsChanged: { changes: SettingsChanges },
  /** The last segment of its path changed. */
  ProjectRenamed: { namespaceId: Schema.Int, from: Schema.String, to: Schema.String },
  /** The project moved to another namespace; `path` is the last segment of its path, which stays. */
  ProjectTransferred: { from: Schema.Int, to: Schema.Int, path: Schema.String },
  DefaultBranchChanged: { branch: Schema.String },
  /** The repository has commits for the first time. */
  RepositoryFilled: { defaultBranch: Schema.String },
  /** The default branch has another README at its root, by its name, or null for none. */
  ReadmeChanged: { readme: Schema.NullOr(Schema.String) },
  RefProtected: { protection: Protection },
  /** The protection changed to this one. */
  RefProtectionChanged: { protection: Protection },
  RefUnprotected: { id: Schema.Int, kind: RefKind, name: Schema.String },
  ProjectArchived: {},
  ProjectUnarchived: {},
  ProjectDeleted: {},
  ...memberCases
})
export type ProjectEvent = typeof ProjectEvent.Type

export const projectCodec = eventCodec(ProjectEvent)
