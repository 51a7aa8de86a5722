import { Struct } from "effect"
import type { ProfileChanges, UserProfile } from "./events.ts"

const defaultProjectsLimit = 100_000

/** The profile of a new user. */
export const defaultProfile = (name: string): UserProfile => ({
  name,
  projectsLimit: defaultProjectsLimit,
  canCreateGroup: true,
  external: false,
  privateProfile: false,
  bio: "",
  location: null,
  publicEmail: null,
  commitEmail: null,
  skype: "",
  linkedin: "",
  twitter: "",
  discord: "",
  websiteUrl: "",
  organization: null,
  jobTitle: "",
  pronouns: null,
  note: null,
  themeId: 3,
  colorSchemeId: 1,
  identities: []
})

/**
 * The changes with what follows from them: who becomes external may create nothing until given rights in a later change, and
 * who stops being external gets the defaults back unless the same changes say otherwise.
 */
export const withRights = (changes: ProfileChanges, before: UserProfile): ProfileChanges => {
  if (changes.external === true) {
    const rights = before.external ? {} : { canCreateGroup: false, projectsLimit: 0 }
    return { ...Struct.omit(changes, ["canCreateGroup", "projectsLimit"]), ...rights }
  }
  if (changes.external === undefined || !before.external) return changes
  return { canCreateGroup: true, projectsLimit: defaultProjectsLimit, ...changes }
}

/** A profile of its own: defaults, with these attributes. */
export const newProfile = (name: string, attributes: ProfileChanges): UserProfile => {
  const defaults = defaultProfile(name)
  return { ...defaults, ...withRights({ ...attributes, name }, defaults) }
}
