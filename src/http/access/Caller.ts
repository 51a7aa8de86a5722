/** A row of the users read model, as every request needs it. Times are milliseconds since 1970. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly state: "active" | "blocked" | "deactivated" | "banned"
  readonly admin: boolean
  readonly created_at: number
  readonly updated_at: number
  readonly confirmed_at: number | null
  /** The day is written `YYYY-MM-DD`. */
  readonly last_activity_on: string | null
  readonly created_by: number | null
  /** It is null for a user of an older log who was not given one yet. */
  readonly namespace_id: number | null
  readonly projects_limit: number
  readonly can_create_group: boolean
  readonly external: boolean
  readonly private_profile: boolean
  readonly bio: string
  readonly location: string | null
  readonly public_email: string | null
  readonly commit_email: string | null
  readonly skype: string
  readonly linkedin: string
  readonly twitter: string
  readonly discord: string
  readonly website_url: string
  readonly organization: string | null
  readonly job_title: string
  readonly pronouns: string | null
  readonly note: string | null
  readonly theme_id: number
  readonly color_scheme_id: number
  readonly identities: ReadonlyArray<{ readonly provider: string; readonly extern_uid: string }>
}

/** The user who sends a request, with the token. Under sudo `user` is the assumed one and `sudoer` the administrator. */
export interface Caller {
  readonly user: UserRow
  readonly tokenId: number
  readonly scopes: ReadonlyArray<string>
  readonly sudoer?: UserRow
}
