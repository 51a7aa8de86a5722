import { Schema, Struct } from "effect"
import type { UserRow } from "../access/Caller.ts"
import { isoMillis } from "./jsonTimes.ts"

/** The columns of a user that a reference to them shows. */
export type UserReferenceRow = Pick<UserRow, "id" | "username" | "name" | "state">

const text = Schema.String
const nullableText = Schema.NullOr(Schema.String)

const referenceFields = {
  id: Schema.Int,
  username: text,
  name: text,
  state: Schema.Literals(["active", "blocked", "deactivated", "banned"]),
  locked: Schema.Boolean,
  avatar_url: nullableText,
  web_url: text
}

/** A user as embedded in other resources. */
export const UserReference = Schema.Struct(referenceFields).annotate({ identifier: "UserReference" })

const profileFields = {
  ...referenceFields,
  created_at: text,
  bio: text,
  location: nullableText,
  public_email: nullableText,
  skype: text,
  linkedin: text,
  twitter: text,
  discord: text,
  website_url: text,
  organization: nullableText,
  job_title: text,
  pronouns: nullableText,
  bot: Schema.Boolean,
  work_information: nullableText,
  followers: Schema.Int,
  following: Schema.Int,
  is_followed: Schema.Boolean,
  local_time: nullableText
}

/** The fields of a profile that a private one does not show. */
const { created_at, bio, location, followers, following, is_followed } = profileFields
const hiddenFields = { created_at, bio, location, followers, following, is_followed }

/** What every signed-in user may see of another. */
export const UserProfile = Schema.Struct({
  ...profileFields,
  // In their places.
  ...Struct.map(hiddenFields, Schema.optionalKey)
}).annotate({ identifier: "UserProfile" })

const fullFields = {
  ...profileFields,
  last_sign_in_at: nullableText,
  confirmed_at: nullableText,
  last_activity_on: nullableText,
  email: text,
  theme_id: Schema.Int,
  color_scheme_id: Schema.Int,
  projects_limit: Schema.Int,
  current_sign_in_at: nullableText,
  identities: Schema.Array(Schema.Struct({ provider: text, extern_uid: text })),
  can_create_group: Schema.Boolean,
  can_create_project: Schema.Boolean,
  two_factor_enabled: Schema.Boolean,
  external: Schema.Boolean,
  private_profile: Schema.Boolean,
  commit_email: text
}

/** What users see of themselves, and administrators of the owners of keys. */
export const FullUser = Schema.Struct(fullFields).annotate({ identifier: "FullUser" })

/** What administrators see of a user. */
export const AdministeredUser = Schema.Struct({
  ...fullFields,
  is_admin: Schema.Boolean,
  note: nullableText,
  namespace_id: Schema.NullOr(Schema.Int),
  created_by: Schema.NullOr(UserReference),
  email_reset_offered_at: nullableText
}).annotate({ identifier: "AdministeredUser" })

/** Avatars cannot be set, and nobody is locked: there is no sign-in to lock after failed attempts. */
export const userReference = (user: UserReferenceRow, externalUrl: string): typeof UserReference.Type => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  locked: false,
  avatar_url: null,
  web_url: `${externalUrl}/${user.username}`
})

const workInformation = ({ job_title, organization }: UserRow): string | null => {
  if (job_title !== "" && organization !== null && organization !== "") return `${job_title} at ${organization}`
  return job_title || organization || null
}

/** A profile as its user sees it. */
export const wholeProfile = (user: UserRow, externalUrl: string) => ({
  ...userReference(user, externalUrl),
  created_at: isoMillis(user.created_at),
  bio: user.bio,
  location: user.location,
  public_email: user.public_email,
  skype: user.skype,
  linkedin: user.linkedin,
  twitter: user.twitter,
  discord: user.discord,
  website_url: user.website_url,
  organization: user.organization,
  job_title: user.job_title,
  pronouns: user.pronouns,
  bot: false,
  work_information: workInformation(user),
  followers: 0,
  following: 0,
  is_followed: false,
  local_time: null
})

/** A profile as others see it: a private one tells less. */
export const userProfile = (user: UserRow, externalUrl: string): typeof UserProfile.Type => {
  const whole = wholeProfile(user, externalUrl)
  if (!user.private_profile) return whole
  const { created_at, bio, location, followers, following, is_followed, ...shown } = whole
  return shown
}

/** The address of a user in commits. `_private` stands for one that cannot be written to. */
export const commitEmail = ({ id, username, email, commit_email }: UserRow, externalUrl: string): string =>
  commit_email === "_private" ? `${id}-${username}@users.noreply.${new URL(externalUrl).hostname}` : (commit_email ?? email)

/** The full record. There is no sign-in, so its times are null; two-factor authentication does not exist. */
export const fullUser = (user: UserRow, externalUrl: string): typeof FullUser.Type => ({
  ...wholeProfile(user, externalUrl),
  last_sign_in_at: null,
  confirmed_at: user.confirmed_at === null ? null : isoMillis(user.confirmed_at),
  last_activity_on: user.last_activity_on,
  email: user.email,
  theme_id: user.theme_id,
  color_scheme_id: user.color_scheme_id,
  projects_limit: user.projects_limit,
  current_sign_in_at: null,
  identities: user.identities,
  can_create_group: user.can_create_group,
  can_create_project: user.projects_limit > 0,
  two_factor_enabled: false,
  external: user.external,
  private_profile: user.private_profile,
  commit_email: commitEmail(user, externalUrl)
})

/** The full record with what only administrators see; `creator` is who created the user. */
export const administeredUser = (
  user: UserRow,
  creator: UserReferenceRow | null,
  externalUrl: string
): typeof AdministeredUser.Type => ({
  ...fullUser(user, externalUrl),
  is_admin: user.admin,
  note: user.note,
  namespace_id: user.namespace_id,
  created_by: creator === null ? null : userReference(creator, externalUrl),
  email_reset_offered_at: null
})
