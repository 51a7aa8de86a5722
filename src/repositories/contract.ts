import { Schema } from "effect"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { area } from "./contractParts.ts"
import { rawTypes } from "./rawContentType.ts"
import { BlobShape, CommitShape, ComparisonShape, ContributorShape, TreeEntryShape } from "./shapes.ts"

/** Anyone may read public projects; the guard requires more of others. */
const access = "anyone"
const noCode = { 403: "The caller may not read the code." }

export const listTree = endpoint({
  name: "repositories.tree",
  area,
  method: "GET",
  path: "/projects/:id/repository/tree",
  summary: "List files and directories",
  description:
    "Directories come first, then files, then submodules; so too over the whole of a recursive list. A full page has a `Link` to the next one.",
  access,
  // The parameters have no defaults, so that links repeat only what was sent.
  parameters: {
    id: projectId,
    ref: { kind: "string", description: "Branch, tag or commit; default: the default branch." },
    path: { kind: "string", description: "Directory; default: the root." },
    recursive: { kind: "boolean", description: "Whether to list everything below; default: false." },
    page: { kind: "integer", deprecated: true, description: "Number of the page, from 1; asks for `legacy` pagination." },
    per_page: { kind: "integer", forbidden: [0], description: "Entries on a page, at most 100; default: 20." },
    pagination: {
      kind: "string",
      values: ["legacy", "keyset", "none"],
      description: "Default: `keyset`. `none`: everything at once, only of a recursive list."
    },
    page_token: {
      kind: "string",
      description: "Where a page of `keyset` pagination starts: from the link to it, or the ID of an entry."
    }
  },
  success: { status: 200, body: Schema.Array(TreeEntryShape) },
  refusals: { ...noCode, 404: "No such revision or directory." }
})

/** The ID of a file that holds `hello` and a line feed, as the sample of the endpoint that creates files makes it. */
const exampleBlob = "ce013625030ba8dba906f756967f9e9ca394464a"
const blobParameters = {
  id: projectId,
  sha: { kind: "string", required: true, description: "Full ID of the blob.", example: exampleBlob }
} as const
const noBlob = { 404: "No such blob." }

export const readBlob = endpoint({
  name: "repositories.blob",
  area,
  method: "GET",
  path: "/projects/:id/repository/blobs/:sha",
  summary: "Read a blob with its size",
  access,
  parameters: blobParameters,
  success: { status: 200, body: BlobShape, mayStream: true },
  refusals: { ...noCode, ...noBlob, 429: "Too many blobs of more than 10 MiB were read." }
})

export const readRawBlob = endpoint({
  name: "repositories.rawBlob",
  area,
  method: "GET",
  path: "/projects/:id/repository/blobs/:sha/raw",
  summary: "Read the bytes of a blob",
  access,
  parameters: blobParameters,
  success: { status: 200, raw: rawTypes, description: "The bytes, with the type that they look like." },
  refusals: { ...noCode, ...noBlob }
})

const archive = {
  area,
  method: "GET",
  keepsFormat: true,
  summary: "Download an archive",
  access,
  parameters: {
    id: projectId,
    format: { kind: "string", description: "`tar.gz`, `tar.bz2`, `tar`, `zip`, or a short form of them; default: `tar.gz`." },
    sha: { kind: "string", description: "Branch, tag or commit; default: the default branch." },
    path: { kind: "string", description: "File or directory; default: everything." },
    include_lfs_blobs: { kind: "boolean", default: true, description: "Without effect: there are no LFS objects." },
    exclude_paths: { kind: "stringList", description: "Files and directories to leave out." }
  },
  success: {
    status: 200,
    raw: ["application/octet-stream", "application/zip"],
    description: "The archive: `application/zip` for `zip`, `application/octet-stream` for all others."
  },
  refusals: {
    ...noCode,
    404: "No such revision or path.",
    406: "Another site embeds the archive.",
    429: "The archive was asked for too often."
  }
} as const

export const downloadArchive = endpoint({
  name: "repositories.archive",
  path: "/projects/:id/repository/archive",
  ...archive
})

export const downloadArchiveAs = endpoint({
  name: "repositories.archiveWithSuffix",
  path: "/projects/:id/repository/archive.:format",
  patterns: { format: /(?:tar(?:\.gz|\.bz2)?|tgz|gz|tbz2?|tb2|bz2|zip)/ },
  ...archive,
  parameters: { ...archive.parameters, format: { ...archive.parameters.format, required: true, example: "tar.gz" } }
})

export const compareRefs = endpoint({
  name: "repositories.compare",
  area,
  method: "GET",
  path: "/projects/:id/repository/compare",
  summary: "Compare two branches, tags or commits",
  description:
    "The commits are those of `to` that `from` has not, oldest first; of more than 10,000 the newest, and `compare_timeout` is true.",
  access,
  parameters: {
    id: projectId,
    from: { kind: "string", required: true, description: "Branch, tag or commit to compare with.", example: "main" },
    to: { kind: "string", required: true, description: "Branch, tag or commit that is compared.", example: "feature" },
    from_project_id: {
      kind: "integer",
      description: "ID of the project of `from`, of the same network of forks. Default: the project itself."
    },
    straight: {
      kind: "boolean",
      default: false,
      description: "Whether files are compared with `from` itself rather than the merge base."
    },
    unidiff: { kind: "boolean", default: false, description: "Whether diffs begin with lines of the file names." }
  },
  success: { status: 200, body: ComparisonShape },
  refusals: { ...noCode, 400: "The other project is no fork.", 404: "No such revision." }
})

export const listContributors = endpoint({
  name: "repositories.contributors",
  area,
  method: "GET",
  path: "/projects/:id/repository/contributors",
  summary: "List who has contributed",
  description: "All commits but merges count, by the e-mail address of the author.",
  access,
  parameters: {
    id: projectId,
    ref: { kind: "string", description: "Branch, tag or commit; default: the default branch." },
    order_by: {
      kind: "string",
      values: ["email", "name", "commits"],
      default: "commits",
      description: "What the list is ordered by."
    },
    sort: { kind: "string", values: ["asc", "desc"], default: "asc", description: "Direction of the order." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(ContributorShape) },
  refusals: {
    ...noCode,
    404: "No such revision.",
    422: "Counting them takes more memory or time than the service may use: the answer names the limit.",
    503: "They are still being counted: `Retry-After` tells when to ask again."
  }
})

export const findMergeBase = endpoint({
  name: "repositories.mergeBase",
  area,
  method: "GET",
  path: "/projects/:id/repository/merge_base",
  summary: "Find the common ancestor of two or more branches, tags or commits",
  access: "user",
  parameters: {
    id: projectId,
    refs: {
      kind: "stringList",
      required: true,
      description: "Two or more branches, tags or commits.",
      example: ["main", "feature"]
    }
  },
  success: { status: 200, body: CommitShape },
  refusals: { ...noCode, 400: "Fewer than two, or unknown ones.", 404: "They have nothing in common." }
})
