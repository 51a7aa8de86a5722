import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SecretDigest } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

const Identity = Schema.Struct({ provider: Schema.String, externUid: Schema.String })

/** What a user shows of themselves, and what administrators set for them. */
export const UserProfile = Schema.Struct({
  name: Schema.String,
  projectsLimit: Schema.Int,
  canCreateGroup: Schema.Boolean,
  external: Schema.Boolean,
  privateProfile: Schema.Boolean,
  bio: Schema.String,
  location: Schema.NullOr(Schema.String),
  publicEmail: Schema.NullOr(Schema.String),
  commitEmail: Schema.NullOr(Schema.String),
  skype: Schema.String,
  linkedin: Schema.String,
  twitter: Schema.String,
  discord: Schema.String,
  websiteUrl: Schema.String,
  organization: Schema.NullOr(Schema.String),
  jobTitle: Schema.String,
  pronouns: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String),
  themeId: Schema.Int,
  colorSchemeId: Schema.Int,
  identities: Schema.Array(Identity)
})
export type UserProfile = typeof UserProfile.Type

/** Some attributes of a profile with their new values. */
export const ProfileChanges = UserProfile.mapFields(Struct.map(Schema.optionalKey))
export type ProfileChanges = typeof ProfileChanges.Type

/** Days are `YYYY-MM-DD`, UTC. A password is only ever a scrypt digest. */
export const UserEvent = Schema.TaggedUnion({
  UserCreated: {
    username: Schema.String,
    email: Schema.String,
    admin: Schema.Boolean,
    /** Whether the email address counts as confirmed from the start. */
    confirmed: Schema.Boolean,
    createdBy: Schema.NullOr(Schema.Int),
    profile: UserProfile,
    /** The user's own namespace. Users of older logs have none until they are given one. */
    namespaceId: Schema.optionalKey(Schema.Int)
  },
  NamespaceGiven: { namespaceId: Schema.Int },
  UserProfileChanged: { changes: ProfileChanges },
  UserRenamed: { from: Schema.String, to: Schema.String },
  UserEmailChanged: { from: Schema.String, to: Schema.String },
  UserPasswordChanged: { digest: SecretDigest },
  AdministratorGranted: {},
  AdministratorRevoked: {},
  UserBlocked: {},
  UserUnblocked: {},
  UserDeactivated: {},
  UserActivated: {},
  UserBanned: {},
  UserUnbanned: {},
  UserWasActive: { day: Schema.String },
  UserDeleted: { hardDelete: Schema.Boolean }
})
export type UserEvent = typeof UserEvent.Type

export const userCodec = eventCodec(UserEvent)
