import { Schema } from "effect"
import { integer, nullableText } from "../http/answer/fields.ts"
import { AdministeredUser, FullUser, UserProfile, UserReference } from "../http/answer/shapes.ts"
import { endpoint } from "../http/Endpoint.ts"
import type { ParameterGroup, ParameterTable } from "../http/parameters/parameters.ts"

const area = "users"
const readScopes = ["read_user"]

const id = { kind: "integer", required: true, description: "ID of the user.", example: 2 } as const
/** Ids in paths have digits only. */
const patterns = { id: /\d+/ }

const attributes = {
  skype: { kind: "string", description: "Name at Skype." },
  linkedin: { kind: "string", description: "Name at LinkedIn." },
  twitter: { kind: "string", description: "Name at X, formerly Twitter." },
  discord: { kind: "string", description: "ID at Discord." },
  website_url: { kind: "string", description: "Address of the user's website." },
  organization: { kind: "string", description: "Where the user works." },
  projects_limit: { kind: "integer", description: "How many personal projects the user may have. Default: 100,000." },
  extern_uid: { kind: "string", description: "ID at the external provider." },
  provider: { kind: "string", description: "External provider." },
  bio: { kind: "string", description: "What the user tells of themselves." },
  location: { kind: "string", description: "Where the user is." },
  pronouns: { kind: "string", description: "Pronouns of the user." },
  public_email: { kind: "string", description: "The email address of the user, to be shown to others." },
  commit_email: { kind: "string", description: "The email address of the user, or `_private`." },
  admin: { kind: "boolean", description: "Whether the user is an administrator. Default: false." },
  can_create_group: { kind: "boolean", description: "Whether the user may create groups at the top level. Default: true." },
  external: { kind: "boolean", description: "Whether the user sees no internal projects and groups. Default: false." },
  theme_id: {
    kind: "integer",
    description: "Number of the colours of the user interface, from 1 to 11; there is no such interface yet."
  },
  color_scheme_id: {
    kind: "integer",
    description: "Number of the colours of code, from 1 to 6; there is no user interface yet."
  },
  private_profile: { kind: "boolean", description: "Whether others see less of the profile. Default: false." },
  note: { kind: "string", description: "Note that only administrators see." }
} as const satisfies ParameterTable

const identityGroup: ParameterGroup = { rule: "allOrNoneOf", names: ["extern_uid", "provider"] }

export const readCurrentUser = endpoint({
  name: "users.current",
  area,
  method: "GET",
  path: "/user",
  summary: "Read the current user",
  access: "user",
  readScopes,
  parameters: {},
  success: { status: 200, body: Schema.Union([FullUser, AdministeredUser]) }
})

export const listUsers = endpoint({
  name: "users.list",
  area,
  method: "GET",
  path: "/users",
  summary: "List users",
  description: "Without a token, only the user of `username`. Some filters work for administrators only.",
  access: "anyone",
  readScopes,
  parameters: {
    username: { kind: "string", description: "The user of this name, without regard to case." },
    extern_uid: { kind: "string", description: "ID of the user at `provider`. Administrators only." },
    provider: { kind: "string", description: "External provider that knows the user by `extern_uid`. Administrators only." },
    search: { kind: "string", description: "Part of name or user name, or a whole email address." },
    active: { kind: "boolean", default: false, description: "Only active users." },
    exclude_active: { kind: "boolean", default: false, description: "Only users who are not active." },
    external: { kind: "boolean", default: false, description: "Only external users." },
    exclude_external: { kind: "boolean", default: false, description: "Only users who are not external." },
    blocked: { kind: "boolean", default: false, description: "Only blocked users." },
    humans: { kind: "boolean", default: false, description: "No effect: all users are human." },
    exclude_humans: { kind: "boolean", default: false, description: "No users: all are human." },
    created_after: { kind: "dateTime", description: "Only users created at this time or later. Administrators only." },
    created_before: { kind: "dateTime", description: "Only users not created after this time. Administrators only." },
    without_projects: {
      kind: "boolean",
      default: false,
      description: "Users without a role in any project. Administrators only."
    },
    exclude_internal: { kind: "boolean", default: false, description: "No effect: no user is internal." },
    without_project_bots: { kind: "boolean", default: false, description: "No effect: no user is a bot." },
    admins: { kind: "boolean", default: false, description: "Only administrators. For administrators only." },
    two_factor: {
      kind: "string",
      description: "Only users whose two-factor authentication is `enabled` (nobody's is) or `disabled`. Administrators only."
    },
    order_by: {
      kind: "string",
      values: ["id", "name", "username", "created_at", "updated_at"],
      description: "What the list is ordered by. Default: how well users fit `search`, or `id` without one."
    },
    sort: { kind: "string", values: ["asc", "desc"], description: "Direction of the order. Default: `desc`." }
  },
  groups: [identityGroup],
  paginated: true,
  success: { status: 200, body: Schema.Array(Schema.Union([UserReference, AdministeredUser])) },
  refusals: { 403: "No token and no `username`, or an external identity without being an administrator." }
})

/** One user, as administrators see them. There is no sign-in, so nothing is known of it. */
const AdministeredUserWithSignIns = Schema.Struct({
  ...AdministeredUser.fields,
  highest_role: integer("The highest level of access that the user has as a direct member of a group or project; 0 for none."),
  current_sign_in_ip: nullableText("Null: there is no sign-in."),
  last_sign_in_ip: nullableText("Null: there is no sign-in."),
  sign_in_count: integer("0: there is no sign-in.")
}).annotate({ identifier: "AdministeredUserWithSignIns" })

export const readUser = endpoint({
  name: "users.read",
  area,
  method: "GET",
  path: "/users/:id",
  patterns,
  summary: "Read a user",
  access: "anyone",
  readScopes,
  parameters: { id },
  success: { status: 200, body: Schema.Union([UserProfile, AdministeredUserWithSignIns]) },
  refusals: { 403: "No token.", 404: "No such user." }
})

export const createUser = endpoint({
  name: "users.create",
  area,
  method: "POST",
  path: "/users",
  summary: "Create a user",
  access: "administratorLast",
  readScopes,
  parameters: {
    email: { kind: "string", required: true, description: "Email address, unique.", example: "jane@example.com" },
    password: { kind: "string", description: "At least 8 characters that are not easy to guess." },
    reset_password: { kind: "boolean", description: "The user gets no password: no mail is sent." },
    skip_confirmation: { kind: "boolean", description: "Counts the email address as confirmed." },
    name: { kind: "string", required: true, description: "Full name.", example: "Jane Doe" },
    username: { kind: "string", required: true, description: "User name, unique without regard to case.", example: "jane" },
    force_random_password: { kind: "boolean", description: "The user gets a password that nobody knows.", example: true },
    ...attributes
  },
  groups: [
    { rule: "atLeastOneOf", names: ["password", "reset_password", "force_random_password"], before: "name" },
    identityGroup
  ],
  success: { status: 201, body: AdministeredUser },
  refusals: { 400: "Invalid attributes.", 403: "Not an administrator.", 409: "Email address or user name is taken." }
})

export const updateUser = endpoint({
  name: "users.update",
  area,
  method: "PUT",
  path: "/users/:id",
  patterns,
  summary: "Change a user",
  access: "administratorLast",
  readScopes,
  parameters: {
    id,
    email: { kind: "string", description: "Email address, unique." },
    password: { kind: "string", description: "At least 8 characters that are not easy to guess." },
    skip_reconfirmation: { kind: "boolean", description: "No mail is sent: addresses change at once in any case." },
    name: { kind: "string", description: "Full name." },
    username: { kind: "string", description: "User name, unique without regard to case." },
    ...attributes,
    bio: { ...attributes.bio, example: "Writes samples." }
  },
  groups: [identityGroup],
  success: { status: 200, body: AdministeredUser },
  refusals: { 400: "Invalid attributes.", 403: "Not an administrator.", 409: "Email address or user name is taken." }
})

export const deleteUser = endpoint({
  name: "users.delete",
  area,
  method: "DELETE",
  path: "/users/:id",
  patterns,
  summary: "Delete a user with their tokens and keys",
  access: "administratorLast",
  readScopes,
  parameters: {
    id,
    hard_delete: {
      kind: "boolean",
      description: "Groups of which the user is the only owner are deleted too. What the user contributed stays in any case."
    }
  },
  success: { status: 204 },
  refusals: {
    403: "Not an administrator.",
    404: "No such user.",
    409: "The only owner of a group.",
    412: "Changed since `If-Unmodified-Since`."
  }
})

type ModerationName = "block" | "unblock" | "deactivate" | "activate" | "ban" | "unban"

/** `unchanged` is the body where nothing changes. */
const moderation = <U extends Schema.Null | Schema.Literal<false>>(name: ModerationName, summary: string, unchanged: U) =>
  endpoint({
    name: `users.${name}`,
    area,
    method: "POST",
    path: `/users/:id/${name}`,
    patterns,
    summary,
    access: "administratorLast",
    readScopes,
    parameters: { id },
    success: { status: 201, body: Schema.Union([Schema.Literal(true), unchanged]), description: "True when the user changed." },
    refusals: { 403: "Not an administrator, or the user's state forbids it.", 404: "No such user." }
  })

export const blockUser = moderation("block", "Block a user: their tokens are refused", Schema.Null)
export const unblockUser = moderation("unblock", "Unblock a user", Schema.Literal(false))
export const deactivateUser = moderation("deactivate", "Deactivate a user who was not active for 90 days", Schema.Null)
export const activateUser = moderation("activate", "Activate a deactivated user", Schema.Literal(false))
export const banUser = moderation(
  "ban",
  "Ban a user: their tokens are refused, and others do not find them",
  Schema.Literal(false)
)
export const unbanUser = moderation("unban", "Lift a ban", Schema.Literal(false))
