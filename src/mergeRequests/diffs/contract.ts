import { Schema } from "effect"
import { flag, integer, nullableText, text, time } from "../../http/answer/fields.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { CommitShape, DiffShape } from "../../repositories/Code.ts"
import { area, mergeRequest, missing, named } from "../contract.ts"
import { detailFields } from "../shapes.ts"

const DiffEntry = Schema.Struct({
  ...DiffShape.fields,
  generated_file: flag("Whether programs made the file.")
}).annotate({ identifier: "MergeRequestDiff" })

const versionFields = {
  id: integer("ID of the version."),
  head_commit_sha: text("Full ID of the last commit of the source branch, then."),
  base_commit_sha: text("Full ID of the merge base."),
  start_commit_sha: text("Full ID of the last commit of the target branch, then."),
  created_at: time("When it was noted."),
  merge_request_id: integer("ID of the merge request."),
  state: Schema.Literals(["collected", "overflow"]).annotate({ description: "Whether all files that differ are counted." }),
  real_size: text("How many files differ, with a `+` behind it where there are more."),
  patch_id_sha: nullableText("The same for the same change.")
}

export const MergeRequestVersion = Schema.Struct(versionFields).annotate({ identifier: "MergeRequestVersion" })

const unidiff = {
  kind: "boolean",
  default: false,
  description: "Whether texts begin with the lines that tools for patches expect."
} as const
const refusals = { ...missing, 403: "Merge requests are not shown to the caller." }

export const readChanges = endpoint({
  name: "mergeRequests.changes",
  area,
  method: "GET",
  path: `${mergeRequest}/changes`,
  summary: "Read a merge request with what it changes",
  deprecated: true,
  access: "anyone",
  parameters: {
    ...named,
    access_raw_diffs: { kind: "boolean", description: "Whether the texts of all files are shown, however large." },
    unidiff
  },
  success: {
    status: 200,
    body: Schema.Struct({
      ...detailFields,
      changes: Schema.Array(DiffEntry).annotate({ description: "Files that differ." }),
      overflow: flag("Whether there are more.")
    }).annotate({ identifier: "MergeRequestChanges" }),
    mayStream: true
  },
  refusals
})

export const listDiffs = endpoint({
  name: "mergeRequests.diffs",
  area,
  method: "GET",
  path: `${mergeRequest}/diffs`,
  summary: "List what a merge request changes",
  access: "anyone",
  parameters: { ...named, unidiff },
  paginated: true,
  success: { status: 200, body: Schema.Array(DiffEntry) },
  refusals
})

export const readRawDiffs = endpoint({
  name: "mergeRequests.rawDiffs",
  area,
  method: "GET",
  path: `${mergeRequest}/raw_diffs`,
  summary: "Read what a merge request changes, as git prints it",
  access: "anyone",
  parameters: named,
  success: { status: 200, raw: ["text/plain"], description: "The diff." },
  refusals
})

export const listCommits = endpoint({
  name: "mergeRequests.commits",
  area,
  method: "GET",
  path: `${mergeRequest}/commits`,
  summary: "List the commits of a merge request, the newest first",
  access: "anyone",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(CommitShape) },
  refusals
})

export const listVersions = endpoint({
  name: "mergeRequests.versions",
  area,
  method: "GET",
  path: `${mergeRequest}/versions`,
  summary: "List what a merge request was to change, the latest first",
  access: "user",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(MergeRequestVersion) },
  refusals
})

export const readVersion = endpoint({
  name: "mergeRequests.version",
  area,
  method: "GET",
  path: `${mergeRequest}/versions/:version_id`,
  summary: "Read what a merge request was to change",
  access: "user",
  parameters: {
    ...named,
    version_id: { kind: "integer", required: true, description: "ID of the version.", example: 1 },
    unidiff
  },
  success: {
    status: 200,
    body: Schema.Struct({
      ...versionFields,
      commits: Schema.Array(CommitShape).annotate({ description: "Its commits, the newest first." }),
      diffs: Schema.Array(DiffEntry).annotate({ description: "Files that differ." })
    }).annotate({ identifier: "MergeRequestVersionDetails" }),
    mayStream: true
  },
  refusals
})
