import { Schema, Struct } from "effect"
import type { UserRow } from "../access/Caller.ts"
import { flag, integer, nullableDay, nullableInteger, nullableText, nullableTime, text, time, url } from "./fields.ts"
import { isoMillis, nullableIsoMillis } from "./jsonTimes.ts"

/** The columns of a user that a reference to them shows. */
export type UserReferenceRow = Pick<UserRow, "id" | "username" | "name" | "state">

const referenceFields = {
  id: integer("ID of the user."),
  username: text("User name."),
  name: text("Full name."),
  state: Schema.Literals(["active", "blocked", "deactivated", "banned"]).annotate({
    description: "Whether the account may be used."
  }),
  locked: flag("False: nobody is locked out."),
  avatar_url: nullableText("Null: users have no pictures."),
  web_url: url("Page of the user.")
}

/** A user as embedded in other resources. */
export const UserReference = Schema.Struct(referenceFields).annotate({ identifier: "UserReference" })

const profileFields = {
  ...referenceFields,
  created_at: time("When the account was created."),
  bio: text("What the user tells of themselves."),
  location: nullableText("Where the user is."),
  public_email: nullableText("Email address that the user shows to others."),
  skype: text("Name at Skype."),
  linkedin: text("Name at LinkedIn."),
  twitter: text("Name at X, formerly Twitter."),
  discord: text("ID at Discord."),
  website_url: text("Address of the user's website."),
  organization: nullableText("Where the user works."),
  job_title: text("What the user's work is."),
  pronouns: nullableText("Pronouns of the user."),
  bot: flag("False: all users are human."),
  work_information: nullableText("`job_title` and `organization` in words."),
  followers: integer("0: users do not follow each other."),
  following: integer("0: users do not follow each other."),
  is_followed: flag("False: users do not follow each other."),
  local_time: nullableText("Null: time zones of users are not known.")
}

/** The fields of a profile that a private one does not show. */
const { created_at, bio, location, followers, following, is_followed } = profileFields
const hiddenFields = { created_at, bio, location, followers, following, is_followed }

/** What every signed-in user may see of another. */
export const UserProfile = Schema.Struct({
  ...profileFields,
  // The fields are named again, so that optional ones keep their places.
  ...Struct.map(hiddenFields, Schema.optionalKey)
}).annotate({ identifier: "UserProfile" })

const fullFields = {
  ...profileFields,
  last_sign_in_at: nullableTime("Null: there is no sign-in."),
  confirmed_at: nullableTime("When the email address was confirmed."),
  last_activity_on: nullableDay("Day of the last request with a token."),
  email: text("Email address."),
  theme_id: integer("Number of the colours of the user interface."),
  color_scheme_id: integer("Number of the colours of code."),
  projects_limit: integer("How many personal projects the user may have."),
  current_sign_in_at: nullableTime("Null: there is no sign-in."),
  identities: Schema.Array(
    Schema.Struct({ provider: text("Name of the provider."), extern_uid: text("ID of the user at the provider.") })
  ).annotate({ description: "By what external providers know the user." }),
  can_create_group: flag("Whether the user may create groups at the top level."),
  can_create_project: flag("Whether the user may have personal projects."),
  two_factor_enabled: flag("False: there is no two-factor authentication."),
  external: flag("Whether the user sees no internal projects and groups."),
  private_profile: flag("Whether others see less of the profile."),
  commit_email: text("Email address of the user in commits that are made here.")
}

/** What users see of themselves, and administrators of the owners of keys. */
export const FullUser = Schema.Struct(fullFields).annotate({ identifier: "FullUser" })

/** What administrators see of a user. */
export const AdministeredUser = Schema.Struct({
  ...fullFields,
  is_admin: flag("Whether the user is an administrator."),
  note: nullableText("Note that only administrators see."),
  namespace_id: nullableInteger("ID of the personal namespace."),
  created_by: Schema.NullOr(UserReference).annotate({
    description: "Who created the account; null where nobody did, or that user is deleted."
  }),
  email_reset_offered_at: nullableTime("Null: nobody is asked to change an address.")
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
  confirmed_at: nullableIsoMillis(user.confirmed_at),
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
