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
export const profileChanges = (parameters: CreateParameters | UpdateParameters): ProfileChanges =>
  defined({
    skype: nullAs(parameters.skype, ""),
    linkedin: nullAs(parameters.linkedin, ""),
    twitter: nullAs(parameters.twitter, ""),
    discord: nullAs(parameters.discord, ""),
    websiteUrl: nullAs(parameters.website_url, ""),
    organization: parameters.organization,
    bio: nullAs(parameters.bio, ""),
    location: parameters.location,
    pronouns: parameters.pronouns,
    note: parameters.note,
    publicEmail: parameters.public_email === undefined ? undefined : foldedEmail(parameters.public_email) || null,
    commitEmail: parameters.commit_email === undefined ? undefined : foldedCommitEmail(parameters.commit_email),
    privateProfile: nullAs(parameters.private_profile, false),
    projectsLimit: parameters.projects_limit ?? undefined,
    themeId: parameters.theme_id ?? undefined,
    colorSchemeId: parameters.color_scheme_id ?? undefined,
    canCreateGroup: parameters.can_create_group ?? undefined,
    external: parameters.external ?? undefined
  })
