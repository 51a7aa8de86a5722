import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { CommitShape } from "../../repositories/Code.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { maxContextCommits } from "./aggregate.ts"

const contextCommits = `${mergeRequest}/context_commits` as const

/** So many commits may be added at once. */
export const maxCommitsOfRequest = 20

const commits = (limit: number) =>
  ({
    kind: "stringList",
    required: true,
    allowBlank: false,
    description: `Commits of the project, by their IDs or what else names them, at most ${limit}.`,
    example: ["main"]
  }) as const

export const listContextCommits = endpoint({
  name: "mergeRequests.contextCommits",
  area,
  method: "GET",
  path: contextCommits,
  summary: "List the commits that are shown beside those of a merge request",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(CommitShape) },
  refusals: { ...missing, 403: "Merge requests are not shown to the caller." }
})

export const addContextCommits = endpoint({
  name: "mergeRequests.addContextCommits",
  area,
  method: "POST",
  path: contextCommits,
  summary: "Show commits beside those of a merge request",
  access: "user",
  parameters: { ...named, commits: commits(maxCommitsOfRequest) },
  success: { status: 201, body: Schema.Array(CommitShape) },
  refusals: {
    ...missing,
    400: "One of them is no commit of the project or is shown already, or they are too many.",
    403: "The caller may not change it."
  }
})

export const removeContextCommits = endpoint({
  name: "mergeRequests.removeContextCommits",
  area,
  method: "DELETE",
  path: contextCommits,
  summary: "Show commits beside those of a merge request no more",
  access: "user",
  parameters: { ...named, commits: commits(maxContextCommits) },
  success: { status: 204 },
  refusals: { ...missing, 400: "One of them is no commit of the project.", 403: "The caller may not change it." }
})
