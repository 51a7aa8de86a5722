import { anyId, anyTime } from "#test/support/exactly.ts"
import { userReference } from "#test/support/people/userReference.ts"

/** Parameters of a user whose name and address follow from the user name. */
export const account = (username: string, more: object = {}) => ({
  username,
  name: username,
  email: `${username}@example.com`,
  force_random_password: true,
  ...more
})

/** What an expected user differs in from one who was created with nothing but the required attributes. */
export type Differences = Readonly<Record<string, unknown>>

interface Account {
  readonly id: unknown
  readonly username: string
  readonly name?: string
}

const reference = ({ id, name, username }: Account, url: string) => userReference(url, id, username, name)

const profile = (account: Account, url: string) => ({
  ...reference(account, url),
  created_at: anyTime,
  bio: "",
  location: null,
  public_email: null,
  skype: "",
  linkedin: "",
  twitter: "",
  discord: "",
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  bot: false,
  work_information: null,
  followers: 0,
  following: 0,
  is_followed: false,
  local_time: null
})

const full = (account: Account, url: string) => ({
  ...profile(account, url),
  last_sign_in_at: null,
  confirmed_at: null,
  last_activity_on: null,
  email: `${account.username}@example.com`,
  theme_id: 3,
  color_scheme_id: 1,
  projects_limit: 100_000,
  current_sign_in_at: null,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: false,
  external: false,
  private_profile: false,
  commit_email: `${account.username}@example.com`
})

const administered = (account: Account, url: string) => ({
  ...full(account, url),
  is_admin: false,
  note: null,
  namespace_id: anyId,
  created_by: reference({ id: 1, username: "root", name: "Administrator" }, url),
  email_reset_offered_at: null
})

const read = (account: Account, url: string) => ({
  ...administered(account, url),
  highest_role: 0,
  current_sign_in_ip: null,
  last_sign_in_ip: null,
  sign_in_count: 0
})

const views = { reference, profile, full, administered, read }

/**
 * The whole body of a user, written down from the reference: keys and their order. `reference` is what lists show, `profile`
 * what other users see, `full` what users see of themselves, `administered` what administrators see, `read` the same for one user.
 */
export const userBody = (view: keyof typeof views, account: Account, url: string, differences: Differences = {}) => ({
  ...views[view](account, url),
  ...differences
})
