import { Schema } from "effect"
import { endpoint } from "../http/Endpoint.ts"
import { IssuedToken, PersonalAccessToken } from "./present.ts"
import { scopes } from "./scopes.ts"

const area = "personalAccessTokens"
const id = { kind: "string", required: true, description: "ID of the token." } as const
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
    user_id: { kind: "string", required: true, description: "ID of the user." },
    name: { kind: "string", required: true },
    scopes: { kind: "stringList", required: true, values: scopes },
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
    revoked: { kind: "boolean" },
    state: { kind: "string", values: ["active", "inactive"] },
    created_before: { kind: "dateTime" },
    created_after: { kind: "dateTime" },
    last_used_before: { kind: "dateTime" },
    last_used_after: { kind: "dateTime" },
    expires_before: { kind: "date", description: "Excluded." },
    expires_after: { kind: "date", description: "Included." },
    search: { kind: "string", description: "Part of the name." },
    sort: { kind: "string", description: "`created`, `expires`, `last_used` or `name`, with `_asc` or `_desc`." }
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
