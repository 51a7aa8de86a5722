import { Schema } from "effect"
import { endpoint } from "../http/Endpoint.ts"
import { IssuedToken, PersonalAccessToken } from "./present.ts"
import { scopes } from "./scopes.ts"

const area = "personalAccessTokens"
const id = { kind: "string", required: true, description: "ID of the token.", example: "2" } as const
const expiresAt = { kind: "date", description: "The first day on which it is refused, at most 365 days ahead." } as const
const unusual = { 404: "No such token, or somebody else's." }

export const createToken = endpoint({
  name: "personalAccessTokens.create",
  area,
  method: "POST",
  path: "/users/:user_id/personal_access_tokens",
  summary: "Create a personal access token for a user",
  access: "administrator",
  parameters: {
    user_id: { kind: "string", required: true, description: "ID of the user.", example: "2" },
    name: { kind: "string", required: true, description: "What the token is for.", example: "Example token" },
    scopes: {
      kind: "stringList",
      required: true,
      values: scopes,
      description: "What the token allows.",
      example: ["api"]
    },
    expires_at: { ...expiresAt, description: `${expiresAt.description} Default: the latest.` }
  },
  success: { status: 201, body: IssuedToken },
  refusals: { 404: "No such user." }
})

export const listTokens = endpoint({
  name: "personalAccessTokens.list",
  area,
  method: "GET",
  path: "/personal_access_tokens",
  summary: "List personal access tokens: one's own, for administrators all",
  access: "user",
  parameters: {
    user_id: { kind: "integer", description: "Only those of this user." },
    revoked: { kind: "boolean", description: "Only revoked tokens, or only others." },
    state: {
      kind: "string",
      values: ["active", "inactive"],
      description: "Only tokens that are accepted, or only those that are revoked or have expired."
    },
    created_before: { kind: "dateTime", description: "Only tokens not created after this time." },
    created_after: { kind: "dateTime", description: "Only tokens created at this time or later." },
    last_used_before: { kind: "dateTime", description: "Only tokens last used at this time or earlier." },
    last_used_after: { kind: "dateTime", description: "Only tokens last used at this time or later." },
    expires_before: { kind: "date", description: "Only tokens that expire before this day." },
    expires_after: { kind: "date", description: "Only tokens that expire on this day or later." },
    search: { kind: "string", description: "Part of the name." },
    sort: { kind: "string", description: "Order: `created`, `expires`, `last_used` or `name`, with `_asc` or `_desc`." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(PersonalAccessToken) },
  refusals: { 401: "Tokens of somebody else.", 404: "No such user." }
})

export const readOwnToken = endpoint({
  name: "personalAccessTokens.readSelf",
  area,
  method: "GET",
  path: "/personal_access_tokens/self",
  summary: "Read the token of the request, with any scope",
  access: "user",
  readScopes: scopes,
  parameters: {},
  success: { status: 200, body: PersonalAccessToken }
})

export const readToken = endpoint({
  name: "personalAccessTokens.read",
  area,
  method: "GET",
  path: "/personal_access_tokens/:id",
  summary: "Read a personal access token",
  access: "user",
  parameters: { id },
  success: { status: 200, body: PersonalAccessToken },
  refusals: unusual
})

export const revokeOwnToken = endpoint({
  name: "personalAccessTokens.revokeSelf",
  area,
  method: "DELETE",
  path: "/personal_access_tokens/self",
  summary: "Revoke the token of the request",
  access: "user",
  anyScope: true,
  parameters: {},
  success: { status: 204 }
})

export const revokeToken = endpoint({
  name: "personalAccessTokens.revoke",
  area,
  method: "DELETE",
  path: "/personal_access_tokens/:id",
  summary: "Revoke a personal access token",
  access: "user",
  parameters: { id },
  success: { status: 204 },
  refusals: unusual
})

const rotated = { status: 200, body: IssuedToken, description: "The new token." } as const

export const rotateOwnToken = endpoint({
  name: "personalAccessTokens.rotateSelf",
  area,
  method: "POST",
  path: "/personal_access_tokens/self/rotate",
  summary: "Replace the token of the request by a new one",
  access: "user",
  detectsReuse: true,
  parameters: { expires_at: { ...expiresAt, description: `${expiresAt.description} Default: in a week.` } },
  success: rotated,
  refusals: { 400: "The token was revoked." }
})

export const rotateToken = endpoint({
  name: "personalAccessTokens.rotate",
  area,
  method: "POST",
  path: "/personal_access_tokens/:id/rotate",
  summary: "Replace a personal access token by a new one",
  access: "user",
  detectsReuse: true,
  parameters: { id, ...rotateOwnToken.parameters },
  success: rotated,
  refusals: { ...unusual, 400: "The token was revoked." }
})
