import { Schema } from "effect"
import { endpoint } from "../http/Endpoint.ts"
import { FullUser } from "../http/shapes.ts"
import { UsageType } from "./userKey/events.ts"

const area = "keys"
const access = "user"
const readScopes = ["read_user"]

const text = Schema.String

const keyFields = {
  id: Schema.Int,
  title: text,
  created_at: text,
  expires_at: Schema.NullOr(text),
  key: text,
  usage_type: UsageType
}

export const SshKey = Schema.Struct(keyFields).annotate({ identifier: "SshKey" })

/** The owner is null when a deploy key outlived its creator. */
export const SshKeyWithUser = Schema.Struct({ ...keyFields, user: Schema.NullOr(FullUser) }).annotate({
  identifier: "SshKeyWithUser"
})

const deployKeyFields = { ...keyFields, fingerprint: text, fingerprint_sha256: text }

export const DeployKey = Schema.Struct(deployKeyFields).annotate({ identifier: "DeployKey" })

/** A deploy key as a project uses it. */
export const ProjectDeployKey = Schema.Struct({ ...deployKeyFields, can_push: Schema.Boolean }).annotate({
  identifier: "ProjectDeployKey"
})

export const DeployKeyWithUser = Schema.Struct({
  ...deployKeyFields,
  user: Schema.NullOr(FullUser),
  deploy_keys_projects: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      deploy_key_id: Schema.Int,
      project_id: Schema.Int,
      created_at: text,
      updated_at: text,
      can_push: Schema.Boolean
    })
  )
}).annotate({ identifier: "DeployKeyWithUser" })

const ProjectIdentity = Schema.Struct({
  id: Schema.Int,
  description: Schema.NullOr(text),
  name: text,
  name_with_namespace: text,
  path: text,
  path_with_namespace: text,
  created_at: text
})

export const DeployKeyWithProjects = Schema.Struct({
  ...deployKeyFields,
  projects_with_write_access: Schema.Array(ProjectIdentity),
  projects_with_readonly_access: Schema.Array(ProjectIdentity)
}).annotate({ identifier: "DeployKeyWithProjects" })

const title = { kind: "string", required: true, description: "Title of the key." } as const
const publicKey = { kind: "string", required: true, description: "Public key as OpenSSH writes it." } as const
const expiresAt = { kind: "dateTime", description: "When the key expires." } as const
const keyId = { kind: "integer", required: true, description: "ID of the key." } as const
const userId = { kind: "integer", required: true, description: "ID of the user." } as const
const addition = {
  key: publicKey,
  title,
  expires_at: expiresAt,
  usage_type: {
    kind: "string",
    values: ["auth", "signing", "auth_and_signing"],
    default: "auth_and_signing",
    description: "What the key may be used for."
  }
} as const

const administratorsOnly = "Administrators only."
const changedSince = "The key was changed after `If-Unmodified-Since`."

export const readKey = endpoint({
  name: "keys.read",
  area,
  method: "GET",
  path: "/keys/:id",
  summary: "Read a key with its user",
  access: "administratorLast",
  parameters: { id: { kind: "string", required: true, description: "ID of the key." } },
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
    fingerprint: { kind: "string", required: true, description: "`SHA256:` and Base64, or MD5 as pairs of hex digits." }
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
  parameters: { user_id: { kind: "string", required: true, description: "ID or name of the user." } },
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
  parameters: { id: userId, key_id: keyId },
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
  parameters: { user_id: userId, ...addition },
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
  parameters: { id: userId, key_id: keyId },
  success: { status: 204 },
  refusals: { 403: administratorsOnly, 404: "No such user or key.", 412: changedSince }
})

export const listDeployKeys = endpoint({
  name: "keys.listDeployKeys",
  area,
  method: "GET",
  path: "/deploy_keys",
  summary: "List the deploy keys of all projects",
  access: "administratorLast",
  parameters: { public: { kind: "boolean", default: false, description: "Only those that all projects may use." } },
  paginated: true,
  success: { status: 200, body: Schema.Array(DeployKeyWithProjects) },
  refusals: { 403: administratorsOnly }
})

export const createDeployKey = endpoint({
  name: "keys.createDeployKey",
  area,
  method: "POST",
  path: "/deploy_keys",
  summary: "Create a deploy key that all projects may use",
  access: "administratorLast",
  parameters: { key: publicKey, title, expires_at: expiresAt },
  success: { status: 201, body: DeployKey },
  refusals: { 403: administratorsOnly }
})

const ofProject = "/projects/:id/deploy_keys" as const
const projectId = { kind: "string", required: true, description: "ID or full path of the project." } as const
const canPush = { kind: "boolean", description: "Whether the key may push." } as const
const noRight = { 403: "Not a Maintainer.", 404: "No such project or deploy key." }

export const listProjectKeys = endpoint({
  name: "keys.listOfProject",
  area,
  method: "GET",
  path: ofProject,
  summary: "List the deploy keys of a project",
  access,
  parameters: { id: projectId },
  paginated: true,
  success: { status: 200, body: Schema.Array(ProjectDeployKey) },
  refusals: noRight
})

export const readProjectKey = endpoint({
  name: "keys.readOfProject",
  area,
  method: "GET",
  path: `${ofProject}/:key_id`,
  summary: "Read a deploy key of a project",
  access,
  parameters: { id: projectId, key_id: keyId },
  success: { status: 200, body: ProjectDeployKey },
  refusals: noRight
})

export const addProjectKey = endpoint({
  name: "keys.addToProject",
  area,
  method: "POST",
  path: ofProject,
  summary: "Add a deploy key to a project",
  description: "A key that the project uses is answered as it is; one that the caller may use elsewhere is enabled.",
  access,
  parameters: {
    id: projectId,
    key: publicKey,
    title,
    can_push: { ...canPush, default: false },
    expires_at: expiresAt
  },
  success: { status: 201, body: ProjectDeployKey },
  refusals: { ...noRight, 400: "Not a key, or that of somebody else." }
})

export const changeProjectKey = endpoint({
  name: "keys.changeOfProject",
  area,
  method: "PUT",
  path: `${ofProject}/:key_id`,
  summary: "Change a deploy key of a project",
  access,
  parameters: {
    id: projectId,
    key_id: keyId,
    title: { kind: "string", description: "Title of the key. Of a public key, administrators only." },
    can_push: canPush
  },
  groups: [{ rule: "atLeastOneOf", names: ["title", "can_push"] }],
  success: { status: 200, body: ProjectDeployKey },
  refusals: { ...noRight, 400: "A blank title." }
})

export const enableProjectKey = endpoint({
  name: "keys.enableForProject",
  area,
  method: "POST",
  path: `${ofProject}/:key_id/enable`,
  summary: "Let a project use a deploy key",
  description: "A public one, or one of another project that the caller administers.",
  access,
  parameters: { id: projectId, key_id: keyId },
  success: { status: 201, body: ProjectDeployKey },
  refusals: noRight
})

export const removeProjectKey = endpoint({
  name: "keys.removeFromProject",
  area,
  method: "DELETE",
  path: `${ofProject}/:key_id`,
  summary: "Take a deploy key from a project",
  description: "A key that no project uses any more goes too, unless it is public.",
  access,
  parameters: { id: projectId, key_id: keyId },
  success: { status: 204 },
  refusals: { ...noRight, 412: changedSince }
})
