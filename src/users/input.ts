import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
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
export const profileChanges = (given: CreateParameters | UpdateParameters): ProfileChanges =>
  defined({
    skype: nullAs(given.skype, ""),
    linkedin: nullAs(given.linkedin, ""),
    twitter: nullAs(given.twitter, ""),
    discord: nullAs(given.discord, ""),
    websiteUrl: nullAs(given.website_url, ""),
    organization: given.organization,
    bio: nullAs(given.bio, ""),
    location: given.location,
    pronouns: given.pronouns,
    note: given.note,
    publicEmail: given.public_email === undefined ? undefined : foldedEmail(given.public_email) || null,
    commitEmail: given.commit_email === undefined ? undefined : foldedCommitEmail(given.commit_email),
    privateProfile: nullAs(given.private_profile, false),
    projectsLimit: given.projects_limit ?? undefined,
    themeId: given.theme_id ?? undefined,
    colorSchemeId: given.color_scheme_id ?? undefined,
    canCreateGroup: given.can_create_group ?? undefined,
    external: given.external ?? undefined
  })
