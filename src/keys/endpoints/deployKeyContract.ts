import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { administratorsOnly, changedSince, expiresAt, keyId, publicKey, title } from "../parameters.ts"
import { DeployKey, DeployKeyWithProjects, ProjectDeployKey } from "../shapes.ts"

const area = "keys"
const access = "user"

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
  parameters: {
    key: publicKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINybrh8LGlEreCoFpF0hGNxVdPKcD9nS7CfcZKr+JhIb"),
    title,
    expires_at: expiresAt
  },
  success: { status: 201, body: DeployKey },
  refusals: { 403: administratorsOnly }
})

const ofProject = "/projects/:id/deploy_keys" as const
const canPush = { kind: "boolean", description: "Whether the key may push." } as const
const projectKeyId = { ...keyId, example: 4 } as const
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
  parameters: { id: projectId, key_id: projectKeyId },
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
    key: publicKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMvj74dJyTHs45ZxH84Zy0zT0PcWpLTR8qlyTmOv3sav"),
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
    key_id: projectKeyId,
    title: {
      kind: "string",
      description:
        "Title of the key. Ignored for a public key, and where others use it too, unless the caller manages the keys of their projects."
    },
    can_push: { ...canPush, example: true }
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
  parameters: { id: projectId, key_id: { ...keyId, example: 3 } },
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
  parameters: { id: projectId, key_id: projectKeyId },
  success: { status: 204 },
  refusals: { ...noRight, 412: changedSince }
})
