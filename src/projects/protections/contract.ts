import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { protectedBranchLevels, protectedTagLevels } from "../../members/levels.ts"
import { ProtectedBranch, ProtectedTag } from "../shapes.ts"

const area = "projects"
const access = "user"
const missing = { 403: "Not a Maintainer.", 404: "No such project or protection." }
const changedSince = "The protection was changed after `If-Unmodified-Since`."
const pattern = {
  kind: "string",
  required: true,
  allowBlank: false,
  description: "Name, or a pattern with `*`.",
  example: "stable"
} as const
const search = { kind: "string", description: "Part of the name." } as const
const nameInPath = {
  kind: "string",
  required: true,
  description: "Name or pattern, as it is protected.",
  example: "stable"
} as const
const allowForcePush = { kind: "boolean", description: "Whether those who may push may also replace commits." } as const

const branchLevel = (action: string) =>
  ({
    kind: "integer",
    values: protectedBranchLevels,
    description: `Least role of who may ${action}: 0 for nobody. Default: 40.`
  }) as const

const grants = (action: string) =>
  ({
    kind: "hashList",
    description: `Levels of who may ${action}.`,
    fields: {
      access_level: {
        kind: "integer",
        description: "Least role: 0 for nobody, 30 for Developers, 40 for Maintainers, 60 for administrators."
      },
      id: { kind: "integer", description: "ID of a level that is there." },
      _destroy: { kind: "boolean", description: "Whether to take the level away." }
    }
  }) as const

const branches = "/projects/:id/protected_branches" as const

export const listProtectedBranches = endpoint({
  name: "projects.listProtectedBranches",
  area,
  method: "GET",
  path: branches,
  summary: "List the protected branches of a project",
  access,
  parameters: { id: projectId, search },
  paginated: true,
  success: { status: 200, body: Schema.Array(ProtectedBranch) },
  refusals: missing
})

export const readProtectedBranch = endpoint({
  name: "projects.readProtectedBranch",
  area,
  method: "GET",
  path: `${branches}/:name`,
  keepsFormat: true,
  summary: "Read a protected branch",
  access,
  parameters: { id: projectId, name: nameInPath },
  success: { status: 200, body: ProtectedBranch },
  refusals: missing
})

export const protectBranch = endpoint({
  name: "projects.protectBranch",
  area,
  method: "POST",
  path: branches,
  summary: "Protect a branch, or those of a pattern",
  access,
  parameters: {
    id: projectId,
    name: pattern,
    push_access_level: branchLevel("push"),
    merge_access_level: branchLevel("merge"),
    allow_force_push: { ...allowForcePush, default: false },
    allowed_to_push: grants("push"),
    allowed_to_merge: grants("merge")
  },
  success: { status: 201, body: ProtectedBranch },
  refusals: { ...missing, 409: "The name is protected.", 422: "Not a level." }
})

export const changeProtectedBranch = endpoint({
  name: "projects.changeProtectedBranch",
  area,
  method: "PATCH",
  path: `${branches}/:name`,
  keepsFormat: true,
  summary: "Change the protection of a branch",
  access,
  parameters: {
    id: projectId,
    name: nameInPath,
    allow_force_push: allowForcePush,
    allowed_to_push: grants("push"),
    allowed_to_merge: grants("merge")
  },
  success: { status: 200, body: ProtectedBranch },
  refusals: { ...missing, 422: "Not a level." }
})

export const unprotectBranch = endpoint({
  name: "projects.unprotectBranch",
  area,
  method: "DELETE",
  path: `${branches}/:name`,
  keepsFormat: true,
  summary: "Unprotect a branch",
  access,
  parameters: { id: projectId, name: nameInPath },
  success: { status: 204 },
  refusals: { ...missing, 412: changedSince }
})

const tags = "/projects/:id/protected_tags" as const

export const listProtectedTags = endpoint({
  name: "projects.listProtectedTags",
  area,
  method: "GET",
  path: tags,
  summary: "List the protected tags of a project",
  access,
  parameters: { id: projectId },
  paginated: true,
  success: { status: 200, body: Schema.Array(ProtectedTag) },
  refusals: missing
})

export const readProtectedTag = endpoint({
  name: "projects.readProtectedTag",
  area,
  method: "GET",
  path: `${tags}/:name`,
  keepsFormat: true,
  summary: "Read a protected tag",
  access,
  parameters: { id: projectId, name: nameInPath },
  success: { status: 200, body: ProtectedTag },
  refusals: missing
})

export const protectTag = endpoint({
  name: "projects.protectTag",
  area,
  method: "POST",
  path: tags,
  summary: "Protect a tag, or those of a pattern",
  access,
  parameters: {
    id: projectId,
    name: pattern,
    create_access_level: {
      kind: "integer",
      values: protectedTagLevels,
      description: "Least role of who may create such tags: 0 for nobody. Default: 40."
    },
    allowed_to_create: grants("create such tags")
  },
  success: { status: 201, body: ProtectedTag },
  refusals: { ...missing, 422: "The name is protected, or not a level." }
})

export const unprotectTag = endpoint({
  name: "projects.unprotectTag",
  area,
  method: "DELETE",
  path: `${tags}/:name`,
  keepsFormat: true,
  summary: "Unprotect a tag",
  access,
  parameters: { id: projectId, name: nameInPath },
  success: { status: 204 },
  refusals: { ...missing, 412: changedSince }
})
