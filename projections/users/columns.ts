import type { UserRow } from "#src/http/access/Caller.ts"

/** The columns of a `UserRow`: a missing or a surplus one does not compile. */
const names: Record<keyof UserRow, true> = {
  id: true,
  username: true,
  name: true,
  email: true,
  state: true,
  admin: true,
  created_at: true,
  updated_at: true,
  confirmed_at: true,
  last_activity_on: true,
  created_by: true,
  namespace_id: true,
  projects_limit: true,
  can_create_group: true,
  external: true,
  private_profile: true,
  bio: true,
  location: true,
  public_email: true,
  commit_email: true,
  skype: true,
  linkedin: true,
  twitter: true,
  discord: true,
  website_url: true,
  organization: true,
  job_title: true,
  pronouns: true,
  note: true,
  theme_id: true,
  color_scheme_id: true,
  identities: true
}

/** The columns of a `UserRow` for a select list, of the table with this alias. */
export const userColumns = (alias: string): string =>
  Object.keys(names)
    .map((name) => `${alias}.${name}`)
    .join(", ")
