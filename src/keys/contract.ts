import { Schema } from "effect"
import { endpoint } from "../http/Endpoint.ts"
import { administratorsOnly, changedSince, expiresAt, keyId, publicKey, title } from "./parameters.ts"
import { DeployKeyWithUser, SshKey, SshKeyWithUser } from "./shapes.ts"

const area = "keys"
const access = "user"
const readScopes = ["read_user"]

const userId = { kind: "integer", required: true, description: "ID of the user.", example: 2 } as const
const userKeyId = { ...keyId, example: 2 } as const
const addition = {
  key: publicKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFEKyZUg9yjRO+gf4IHWg9AkUJBGqL2P889Ki2eOt9WY"),
  title,
  expires_at: expiresAt,
  usage_type: {
    kind: "string",
    values: ["auth", "signing", "auth_and_signing"],
    default: "auth_and_signing",
    description: "What the key may be used for."
  }
} as const

export const readKey = endpoint({
  name: "keys.read",
  area,
  method: "GET",
  path: "/keys/:id",
  summary: "Read a key with its user",
  access: "administratorLast",
  parameters: { id: { kind: "string", required: true, description: "ID of the key.", example: "1" } },
  success: { status: 200, body: SshKeyWithUser },
  refusals: { 403: administratorsOnly, 404: "No such key." }
})

export const findKey = endpoint({
  name: "keys.find",
  area,
  method: "GET",
  path: "/keys",
  summary: "Find a key with its user by fingerprint",
  access: "administratorLast",
  parameters: {
    fingerprint: {
      kind: "string",
      required: true,
      description: "`SHA256:` and Base64, or MD5 as pairs of hex digits.",
      example: "SHA256:8T7zqJfpHdUshbCfRhilZ87j/2pJX2/4fPVmdb7Cel8"
    }
  },
  success: { status: 200, body: Schema.Union([SshKeyWithUser, DeployKeyWithUser]) },
  refusals: { 403: administratorsOnly, 404: "No such key." }
})

export const listOwnKeys = endpoint({
  name: "keys.listOwn",
  area,
  method: "GET",
  path: "/user/keys",
  summary: "List the keys of the current user",
  access,
  readScopes,
  parameters: {},
  paginated: true,
  success: { status: 200, body: Schema.Array(SshKey) }
})

export const readOwnKey = endpoint({
  name: "keys.readOwn",
  area,
  method: "GET",
  path: "/user/keys/:key_id",
  summary: "Read a key of the current user",
  access,
  readScopes,
  parameters: { key_id: keyId },
  success: { status: 200, body: SshKey },
  refusals: { 404: "No such key." }
})

export const addOwnKey = endpoint({
  name: "keys.addOwn",
  area,
  method: "POST",
  path: "/user/keys",
  summary: "Add a key for the current user",
  access,
  readScopes,
  parameters: addition,
  success: { status: 201, body: SshKey }
})

export const deleteOwnKey = endpoint({
  name: "keys.deleteOwn",
  area,
  method: "DELETE",
  path: "/user/keys/:key_id",
  summary: "Delete a key of the current user",
  access,
  readScopes,
  parameters: { key_id: keyId },
  success: { status: 204 },
  refusals: { 404: "No such key.", 412: changedSince }
})

export const listUserKeys = endpoint({
  name: "keys.listOfUser",
  area,
  method: "GET",
  path: "/users/:user_id/keys",
  summary: "List the keys of a user",
  access: "anyone",
  readScopes,
  parameters: { user_id: { kind: "string", required: true, description: "ID or name of the user.", example: "2" } },
  paginated: true,
  success: { status: 200, body: Schema.Array(SshKey) },
  refusals: { 404: "No such user." }
})

export const readUserKey = endpoint({
  name: "keys.readOfUser",
  area,
  method: "GET",
  path: "/users/:id/keys/:key_id",
  summary: "Read a key of a user",
  access: "anyone",
  readScopes,
  parameters: { id: userId, key_id: userKeyId },
  success: { status: 200, body: SshKey },
  refusals: { 404: "No such user or key." }
})

export const addKeyForUser = endpoint({
  name: "keys.addForUser",
  area,
  method: "POST",
  path: "/users/:user_id/keys",
  summary: "Add a key for a user",
  access: "administratorLast",
  readScopes,
  parameters: {
    user_id: userId,
    ...addition,
    key: publicKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPKXn4f8V14GFUKHz2feXs4mxQCZg/TMM/2RPPBrshqw")
  },
  success: { status: 201, body: SshKey },
  refusals: { 403: administratorsOnly, 404: "No such user." }
})

export const deleteUserKey = endpoint({
  name: "keys.deleteOfUser",
  area,
  method: "DELETE",
  path: "/users/:id/keys/:key_id",
  summary: "Delete a key of a user",
  access: "administratorLast",
  readScopes,
  parameters: { id: userId, key_id: userKeyId },
  success: { status: 204 },
  refusals: { 403: administratorsOnly, 404: "No such user or key.", 412: changedSince }
})
