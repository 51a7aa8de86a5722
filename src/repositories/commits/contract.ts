import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { JsonObject } from "../../http/answer/success.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { area, mayNot, sha } from "../contractParts.ts"
import { CommitRefShape } from "../refs/shapes.ts"
import { CommitShape, DiffShape } from "../shapes.ts"
import { CommitCount, CommitDetail, CommitSignature, DryRun, ListedCommit } from "./shapes.ts"

const branch = { kind: "string", required: true, allowBlank: false, description: "The branch that gets the commit." } as const
const noCommit = { 404: "No such commit." }
const commits = "/projects/:id/repository/commits" as const

export const listCommits = endpoint({
  name: "repositories.listCommits",
  area,
  method: "GET",
  path: commits,
  summary: "List commits",
  description: "Newest first, without totals: a full page leads to a next one.",
  access: "anyone",
  parameters: {
    id: projectId,
    ref_name: {
      kind: "string",
      description:
        "Branch, tag or commit whose history is listed, or a range (`a..b`: of b without a; `a...b`: of one without the other); default: the default branch."
    },
    since: { kind: "dateTime", description: "Committed at this time or later." },
    until: { kind: "dateTime", description: "Committed at this time or earlier." },
    path: { kind: "string", description: "Only commits that change this file, or something in this directory." },
    author: { kind: "string", description: "Part of the name or email address of the author." },
    all: { kind: "boolean", description: "Whether to list the histories of all refs." },
    with_stats: { kind: "boolean", description: "Whether to count changed lines." },
    first_parent: { kind: "boolean", description: "Whether to go only to the first parent of merges." },
    order: {
      kind: "string",
      values: ["default", "topo"],
      default: "default",
      description: "`default`: by time. `topo`: no parent before all its children."
    },
    trailers: { kind: "boolean", default: false, description: "Whether to read trailers." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(ListedCommit) },
  refusals: { ...mayNot, 400: "`ref_name` cannot be one.", 404: "No repository." }
})

export const readCommit = endpoint({
  name: "repositories.readCommit",
  area,
  method: "GET",
  path: `${commits}/:sha`,
  keepsFormat: true,
  summary: "Read a commit",
  access: "anyone",
  parameters: { id: projectId, sha, stats: { kind: "boolean", default: true, description: "Whether to count changed lines." } },
  success: { status: 200, body: CommitDetail },
  refusals: { ...mayNot, ...noCommit }
})

export const readCommitDiff = endpoint({
  name: "repositories.commitDiff",
  area,
  method: "GET",
  path: `${commits}/:sha/diff`,
  summary: "List the files that a commit changes",
  description: "Against its first parent.",
  access: "anyone",
  parameters: {
    id: projectId,
    sha,
    unidiff: { kind: "boolean", default: false, description: "Whether diffs begin with lines of the file names." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(DiffShape) },
  refusals: { ...mayNot, ...noCommit }
})

export const listCommitRefs = endpoint({
  name: "repositories.commitRefs",
  area,
  method: "GET",
  path: `${commits}/:sha/refs`,
  summary: "List the branches and tags that have a commit",
  access: "anyone",
  parameters: {
    id: projectId,
    sha,
    type: { kind: "string", values: ["branch", "tag", "all"], default: "all", description: "What is listed." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(CommitRefShape) },
  refusals: { ...mayNot, ...noCommit }
})

export const countCommits = endpoint({
  name: "repositories.commitSequence",
  area,
  method: "GET",
  path: `${commits}/:sha/sequence`,
  summary: "Count the commits up to one, itself included",
  access: "anyone",
  parameters: {
    id: projectId,
    sha,
    first_parent: { kind: "boolean", default: false, description: "Whether to go only to the first parent of merges." }
  },
  success: { status: 200, body: CommitCount },
  refusals: { ...mayNot, ...noCommit }
})

export const readCommitSignature = endpoint({
  name: "repositories.commitSignature",
  area,
  method: "GET",
  path: `${commits}/:sha/signature`,
  summary: "Read the signature of a commit",
  description:
    "An SSH signature is verified when a key of the user with the committer's address made it. OpenPGP and X.509 signatures are not checked.",
  access: "anyone",
  parameters: { id: projectId, sha },
  success: { status: 200, body: CommitSignature },
  refusals: { ...mayNot, 404: "No such commit, or it is not signed." }
})

export const listCommitMergeRequests = endpoint({
  name: "repositories.commitMergeRequests",
  area,
  method: "GET",
  path: `${commits}/:sha/merge_requests`,
  summary: "List the merge requests that a commit is a part of",
  access: "anyone",
  parameters: {
    id: projectId,
    sha,
    state: { kind: "string", values: ["opened", "closed", "locked", "merged"], description: "Only those of this state." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(JsonObject), mayStream: true },
  refusals: { ...mayNot, ...noCommit }
})

export const createCommit = endpoint({
  name: "repositories.createCommit",
  area,
  method: "POST",
  path: commits,
  summary: "Commit changes of several files",
  access: "user",
  takesContent: true,
  parameters: {
    id: projectId,
    branch: { ...branch, example: "feature" },
    commit_message: {
      kind: "string",
      required: true,
      allowBlank: false,
      description: "Message of the commit.",
      example: "Add src/example.txt"
    },
    actions: {
      kind: "hashList",
      required: true,
      description: "Applied one after the other.",
      fields: {
        action: {
          kind: "string",
          required: true,
          allowBlank: false,
          values: ["create", "update", "move", "delete", "chmod"],
          description: "What happens to the file.",
          example: "create"
        },
        file_path: { kind: "string", required: true, description: "Path of the file.", example: "src/example.txt" },
        previous_path: { kind: "string", description: "Path that the file has before `move`." },
        content: {
          kind: "string",
          description: "The whole content, of `create`, `update` and `move`. Default of `move`: as it was.",
          example: "hello\n"
        },
        encoding: { kind: "string", values: ["text", "base64"], default: "text", description: "How `content` is sent." },
        last_commit_id: {
          kind: "string",
          description: "The last commit of the file that the caller knows; refused when there is a later one."
        },
        execute_filemode: {
          kind: "boolean",
          description: "Whether the file is executable. Default: as it was; false for a new file."
        }
      }
    },
    start_branch: { kind: "string", description: "The branch to begin a new branch at." },
    start_sha: { kind: "string", description: "Full ID of the commit to begin a new branch at." },
    start_project: { kind: "string", description: "The project of `start_branch` or `start_sha`: what this one is a fork of." },
    author_email: { kind: "string", description: "Email address of the author. Default: that of the caller." },
    author_name: { kind: "string", description: "Name of the author. Default: that of the caller." },
    stats: { kind: "boolean", default: true, description: "Whether to count changed lines." },
    force: { kind: "boolean", default: false, description: "Whether a branch that is there begins anew." }
  },
  groups: [{ rule: "mutuallyExclusive", names: ["start_branch", "start_sha"], before: "start_project" }],
  success: { status: 201, body: CommitDetail },
  refusals: { ...mayNot, 400: "An action cannot be, or the branch is another than expected." }
})

const changing = {
  id: projectId,
  sha,
  branch: { ...branch, example: "main" },
  dry_run: { kind: "boolean", default: false, description: "Whether only to try: nothing changes, and the status is 200." }
} as const
const dryRun = { status: 200, body: DryRun, description: "The change fits." } as const
const unfit = { ...mayNot, 400: "The change does not fit, or is there already.", 404: "No such commit or branch." }

export const cherryPickCommit = endpoint({
  name: "repositories.cherryPick",
  area,
  method: "POST",
  path: `${commits}/:sha/cherry_pick`,
  summary: "Apply a commit to another branch",
  access: "user",
  parameters: {
    ...changing,
    sha: { ...sha, example: "feature" },
    message: { kind: "string", description: "Message of the new commit. Default: that of the commit, which it names." }
  },
  success: { status: 201, body: CommitShape },
  otherSuccesses: [dryRun],
  refusals: unfit
})

export const revertCommit = endpoint({
  name: "repositories.revert",
  area,
  method: "POST",
  path: `${commits}/:sha/revert`,
  summary: "Undo a commit in a branch",
  access: "user",
  parameters: changing,
  success: { status: 201, body: CommitShape },
  otherSuccesses: [dryRun],
  refusals: unfit
})
