import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { CommitSignature } from "../commits/shapes.ts"
import { area, mayNot } from "../contractParts.ts"
import { keysetParameters } from "../refs/page.ts"
import { TagShape } from "../refs/shapes.ts"

const tag_name = { kind: "string", required: true, description: "Name of the tag.", example: "v1.0.0" } as const
const noTag = { 404: "No such tag." }
const tags = "/projects/:id/repository/tags" as const

export const listTags = endpoint({
  name: "repositories.listTags",
  area,
  method: "GET",
  path: tags,
  summary: "List tags",
  access: "anyone",
  parameters: {
    id: projectId,
    sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." },
    order_by: {
      kind: "string",
      values: ["name", "updated", "version"],
      default: "updated",
      description: "What the list is ordered by. `updated`: when the tag was made, or its commit."
    },
    search: {
      kind: "string",
      description: "Part of the name, in any case; `^` in front: its beginning, `$` behind: its end, `*`: any text."
    },
    ...keysetParameters
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(TagShape) },
  refusals: { ...mayNot, 422: "There is no tag of the token's name." }
})

export const readTag = endpoint({
  name: "repositories.readTag",
  area,
  method: "GET",
  path: `${tags}/:tag_name`,
  keepsFormat: true,
  summary: "Read a tag",
  access: "anyone",
  parameters: { id: projectId, tag_name },
  success: { status: 200, body: TagShape },
  refusals: { ...mayNot, ...noTag }
})

export const readTagSignature = endpoint({
  name: "repositories.tagSignature",
  area,
  method: "GET",
  path: `${tags}/:tag_name/signature`,
  summary: "Read the signature of a tag",
  description: "As that of a commit.",
  access: "anyone",
  parameters: { id: projectId, tag_name },
  success: { status: 200, body: CommitSignature },
  refusals: { ...mayNot, 404: "No such tag, or it is not signed." }
})

export const createTag = endpoint({
  name: "repositories.createTag",
  area,
  method: "POST",
  path: tags,
  summary: "Create a tag",
  access: "user",
  parameters: {
    id: projectId,
    tag_name,
    ref: { kind: "string", required: true, description: "Branch, tag or commit that is tagged.", example: "main" },
    message: { kind: "string", description: "Message of an annotated tag. Default: the tag has none." }
  },
  success: { status: 201, body: TagShape },
  refusals: { ...mayNot, 400: "The name is taken or not one of a tag, or there is no such revision." }
})

export const deleteTag = endpoint({
  name: "repositories.deleteTag",
  area,
  method: "DELETE",
  path: `${tags}/:tag_name`,
  keepsFormat: true,
  summary: "Delete a tag",
  access: "user",
  parameters: { id: projectId, tag_name },
  success: { status: 204 },
  refusals: { ...mayNot, ...noTag, 412: "Its commit is newer than `If-Unmodified-Since`." }
})
