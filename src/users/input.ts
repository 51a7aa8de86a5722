import type { Decoded } from "../http/parameters/parameters.ts"
import type { createUser, updateUser } from "./contract.ts"
import type { ProfileChanges, UserProfile } from "./events.ts"

export type CreateParameters = Decoded<(typeof createUser)["parameters"]>
export type UpdateParameters = Decoded<(typeof updateUser)["parameters"]>

/** Addresses are kept in lower case. */
export const foldedEmail = (email: string | null): string => (email ?? "").trim().toLowerCase()

const foldedCommitEmail = (email: string | null): string | null => (email === "_private" ? email : foldedEmail(email) || null)

/** The identity that a request gives; undefined for none or an incomplete one. */
export const identityOf = ({
  provider,
  extern_uid
}: CreateParameters | UpdateParameters): UserProfile["identities"][number] | undefined =>
  provider && extern_uid ? { provider, externUid: extern_uid } : undefined

/**
 * The attributes of a profile that a request gives. Null clears a text and `private_profile`; an empty number or other
 * switch counts as not given. The name is not among them, since it is required in one request and optional in the other.
 */
export const profileChanges = (given: CreateParameters | UpdateParameters): ProfileChanges => ({
  ...(given.skype === undefined ? {} : { skype: given.skype ?? "" }),
  ...(given.linkedin === undefined ? {} : { linkedin: given.linkedin ?? "" }),
  ...(given.twitter === undefined ? {} : { twitter: given.twitter ?? "" }),
  ...(given.discord === undefined ? {} : { discord: given.discord ?? "" }),
  ...(given.website_url === undefined ? {} : { websiteUrl: given.website_url ?? "" }),
  ...(given.organization === undefined ? {} : { organization: given.organization }),
  ...(given.bio === undefined ? {} : { bio: given.bio ?? "" }),
  ...(given.location === undefined ? {} : { location: given.location }),
  ...(given.pronouns === undefined ? {} : { pronouns: given.pronouns }),
  ...(given.note === undefined ? {} : { note: given.note }),
  ...(given.public_email === undefined ? {} : { publicEmail: foldedEmail(given.public_email) || null }),
  ...(given.commit_email === undefined ? {} : { commitEmail: foldedCommitEmail(given.commit_email) }),
  ...(given.private_profile === undefined ? {} : { privateProfile: given.private_profile ?? false }),
  ...(typeof given.projects_limit === "number" ? { projectsLimit: given.projects_limit } : {}),
  ...(typeof given.theme_id === "number" ? { themeId: given.theme_id } : {}),
  ...(typeof given.color_scheme_id === "number" ? { colorSchemeId: given.color_scheme_id } : {}),
  ...(typeof given.can_create_group === "boolean" ? { canCreateGroup: given.can_create_group } : {}),
  ...(typeof given.external === "boolean" ? { external: given.external } : {})
})
