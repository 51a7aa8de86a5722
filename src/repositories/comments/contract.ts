import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { CommitComment } from "../commits/shapes.ts"
import { area, mayNot, sha } from "../contractParts.ts"

const refusals = { ...mayNot, 404: "No such commit." }
const path = "/projects/:id/repository/commits/:sha/comments" as const

export const listComments = endpoint({
  name: "repositories.commitComments",
  area,
  method: "GET",
  path,
  summary: "List comments on a commit",
  description: "Oldest first.",
  access: "anyone",
  parameters: { id: projectId, sha },
  paginated: true,
  success: { status: 200, body: Schema.Array(CommitComment) },
  refusals
})

export const createComment = endpoint({
  name: "repositories.commentCommit",
  area,
  method: "POST",
  path,
  summary: "Comment on a commit",
  description:
    "On one of its lines, or, when there is no such line among those that it adds and removes, on the commit as a whole.",
  access: "user",
  takesContent: true,
  parameters: {
    id: projectId,
    sha,
    note: { kind: "string", required: true, description: "The text, at most 1,000,000 characters.", example: "Looks good." },
    path: { kind: "string", description: "Path of a file that the commit changes." },
    line: { kind: "integer", description: "Number of the line; required with `path`." },
    line_type: {
      kind: "string",
      values: ["new", "old"],
      default: "new",
      description: "Whether it is a line that the commit adds, or one that it removes."
    }
  },
  success: { status: 201, body: CommitComment },
  refusals: { ...refusals, 400: "The text is blank or too long." }
})
