import { Schema } from "effect"
import { Accepted } from "../../http/answer/accepted.ts"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mayNot } from "../contractParts.ts"
import { keysetParameters } from "../refs/page.ts"
import { BranchShape } from "../refs/shapes.ts"

const branch = { kind: "string", required: true, description: "Name of the branch.", example: "feature" } as const
const noBranch = { 404: "No such branch." }
const branches = "/projects/:id/repository/branches" as const

export const listBranches = endpoint({
  name: "repositories.listBranches",
  area,
  method: "GET",
  path: branches,
  summary: "List branches",
  access: "anyone",
  parameters: {
    id: projectId,
    search: {
      kind: "string",
      description: "Part of the name, in any case; `^` in front: its beginning, `$` behind: its end, `*`: any text."
    },
    regex: { kind: "string", description: "Regular expression (RE2) that the name matches." },
    sort: {
      kind: "string",
      values: ["name_asc", "updated_asc", "updated_desc"],
      default: "name_asc",
      description: "By name, or by the time of the last commit."
    },
    ...keysetParameters
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(BranchShape) },
  refusals: { ...mayNot, 400: "The regular expression makes no sense.", 422: "There is no branch of the token's name." }
})

export const readBranch = endpoint({
  name: "repositories.readBranch",
  area,
  method: "GET",
  path: `${branches}/:branch`,
  keepsFormat: true,
  summary: "Read a branch",
  description: "HEAD tells whether there is one: 204 or 404.",
  access: "anyone",
  parameters: { id: projectId, branch },
  success: { status: 200, body: BranchShape },
  otherSuccesses: [{ status: 204, description: "Of HEAD: there is one." }],
  refusals: { ...mayNot, ...noBranch, 400: "Not a name of a branch." }
})

export const createBranch = endpoint({
  name: "repositories.createBranch",
  area,
  method: "POST",
  path: branches,
  summary: "Create a branch",
  description: "In an empty repository, the default branch is made first, with an empty README.",
  access: "user",
  parameters: {
    id: projectId,
    branch: { ...branch, allowBlank: false },
    ref: { kind: "string", required: true, allowBlank: false, description: "Branch, tag or commit to begin at.", example: "main" }
  },
  success: { status: 201, body: BranchShape },
  refusals: { ...mayNot, 400: "The name is taken or not one of a branch, or there is no such revision." }
})

export const deleteBranch = endpoint({
  name: "repositories.deleteBranch",
  area,
  method: "DELETE",
  path: `${branches}/:branch`,
  keepsFormat: true,
  summary: "Delete a branch",
  access: "user",
  parameters: { id: projectId, branch },
  success: { status: 204 },
  refusals: { ...mayNot, ...noBranch, 405: "It is the default branch.", 412: "Its commit is newer than `If-Unmodified-Since`." }
})

export const deleteMergedBranches = endpoint({
  name: "repositories.deleteMergedBranches",
  area,
  method: "DELETE",
  path: "/projects/:id/repository/merged_branches",
  summary: "Delete all branches that are merged into the default branch",
  description: "Protected ones stay.",
  access: "user",
  parameters: { id: projectId },
  success: { status: 202, body: Accepted },
  refusals: mayNot
})

const developers = (what: string) => ({ kind: "boolean", description: `Whether Developers may ${what}.` }) as const

export const protectBranch = endpoint({
  name: "repositories.protectBranch",
  area,
  method: "PUT",
  path: `${branches}/:branch/protect`,
  summary: "Protect a branch",
  deprecated: true,
  access: "user",
  parameters: { id: projectId, branch, developers_can_push: developers("push"), developers_can_merge: developers("merge") },
  success: { status: 200, body: BranchShape },
  refusals: { ...mayNot, ...noBranch }
})

export const unprotectBranch = endpoint({
  name: "repositories.unprotectBranch",
  area,
  method: "PUT",
  path: `${branches}/:branch/unprotect`,
  summary: "Unprotect a branch",
  deprecated: true,
  access: "user",
  parameters: { id: projectId, branch },
  success: { status: 200, body: BranchShape },
  refusals: { ...mayNot, ...noBranch }
})
