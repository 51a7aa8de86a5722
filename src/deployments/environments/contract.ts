import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { Tier } from "../events.ts"
import { Environment, EnvironmentDetails } from "../shapes.ts"

const area = "deployments"

const path = "/projects/:id/environments"
const one = `${path}/:environment_id` as const

const missing = { 404: "No such project or environment." }
const environmentId = { kind: "integer", required: true, description: "ID of the environment.", example: 1 } as const

/** What is set for an environment. */
const settings = {
  external_url: { kind: "string", description: "Where it can be looked at." },
  slug: { kind: "string", description: "Refused: it follows from the name." }
} as const

export const listEnvironments = endpoint({
  name: "deployments.listEnvironments",
  area,
  method: "GET",
  path,
  summary: "List the environments of a project",
  description: "By name.",
  access: "anyone",
  parameters: {
    id: projectId,
    name: { kind: "string", description: "Only the environment of this name." },
    search: { kind: "string", description: "Only those whose name has this, of three characters or more." },
    states: {
      kind: "string",
      values: ["available", "stopping", "stopped"],
      description: "Only those in this state. What is stopped is so at once."
    }
  },
  groups: [{ rule: "mutuallyExclusive", names: ["name", "search"] }],
  paginated: true,
  success: { status: 200, body: Schema.Array(Environment) },
  refusals: missing
})

export const createEnvironment = endpoint({
  name: "deployments.createEnvironment",
  area,
  method: "POST",
  path,
  summary: "Create an environment",
  access: "user",
  parameters: {
    id: projectId,
    name: { kind: "string", required: true, description: "Name, unique in the project.", example: "staging" },
    ...settings,
    tier: { kind: "string", values: Tier.literals, description: "How near it is to users. Default: what its name says." }
  },
  success: { status: 201, body: Environment },
  refusals: { ...missing, 400: "The name is wrong or taken, or the address is none." }
})

export const readEnvironment = endpoint({
  name: "deployments.readEnvironment",
  area,
  method: "GET",
  path: one,
  summary: "Read an environment",
  description: "With what was deployed into it last.",
  access: "anyone",
  parameters: { id: projectId, environment_id: environmentId },
  success: { status: 200, body: EnvironmentDetails },
  refusals: missing
})

export const changeEnvironment = endpoint({
  name: "deployments.changeEnvironment",
  area,
  method: "PUT",
  path: one,
  summary: "Change an environment",
  description: "Its name stays as it is.",
  access: "user",
  parameters: {
    id: projectId,
    environment_id: environmentId,
    ...settings,
    tier: { kind: "string", values: Tier.literals, description: "How near it is to users." }
  },
  success: { status: 200, body: Environment },
  refusals: { ...missing, 400: "The address is none." }
})

export const stopEnvironment = endpoint({
  name: "deployments.stopEnvironment",
  area,
  method: "POST",
  path: `${one}/stop`,
  summary: "Stop an environment",
  description: "What is deployed into it with success makes it available again.",
  access: "user",
  parameters: {
    id: projectId,
    environment_id: environmentId,
    force: { kind: "boolean", default: false, description: "No effect: nothing runs when an environment stops." }
  },
  success: { status: 200, body: Environment },
  refusals: missing
})

export const deleteEnvironment = endpoint({
  name: "deployments.deleteEnvironment",
  area,
  method: "DELETE",
  path: one,
  summary: "Delete a stopped environment",
  description: "With what was deployed into it. Its name is free then.",
  access: "user",
  parameters: { id: projectId, environment_id: environmentId },
  success: { status: 204 },
  refusals: { ...missing, 403: "It is not stopped." }
})
