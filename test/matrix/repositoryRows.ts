import {
  branches,
  branching,
  code,
  codeOfUsers,
  commenting,
  committing,
  committingChangelog,
  committingProtected,
  developing,
  mergeRequestsOfCommits,
  protecting,
  removingProtected
} from "./rights.ts"
import type { Ask, Row } from "./row.ts"
import type { InProject } from "./useWorld.ts"

const scope = "read_repository"
const onMain = { query: { ref: "main" } }
const commit = { commit_message: "Write" }
const create = (own: string, branch: string): Ask => ({
  json: { ...commit, branch, actions: [{ action: "create", file_path: `committed-${own}`, content: "" }] }
})

export const repositoryRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/repository/tree", 200, code],
  ["GET /projects/:id/repository/blobs/:sha", 200, code, ({ blob }) => ({ path: { sha: blob } })],
  ["GET /projects/:id/repository/blobs/:sha/raw", 200, code, ({ blob }) => ({ path: { sha: blob } })],
  ["GET /projects/:id/repository/archive", 200, code],
  ["GET /projects/:id/repository/archive.:format", 200, code, () => ({ path: { format: "zip" } })],
  ["GET /projects/:id/repository/compare", 200, code, () => ({ query: { from: "main", to: "topic" } })],
  ["GET /projects/:id/repository/contributors", 200, code],
  ["GET /projects/:id/languages", 200, code],
  ["GET /projects/:id/repository/merge_base", 200, codeOfUsers, () => ({ query: { refs: "main,topic" } })],
  ["GET /projects/:id/repository/changelog", 200, codeOfUsers, () => ({ query: { version: "1.1.0" } })],
  [
    "POST /projects/:id/repository/changelog",
    200,
    committingChangelog,
    ({ own }) => ({ json: { version: "1.1.0", branch: `changelog-${own}` } })
  ],

  ["GET /projects/:id/repository/branches", 200, branches],
  ["GET /projects/:id/repository/branches/:branch", 200, branches, () => ({ path: { branch: "main" } })],
  ["POST /projects/:id/repository/branches", 201, branching, ({ own }) => ({ json: { branch: `new-${own}`, ref: "main" } })],
  ["DELETE /projects/:id/repository/branches/:branch", 204, branching, ({ own }) => ({ path: { branch: `gone-${own}` } })],
  [
    "DELETE /projects/:id/repository/branches/:branch",
    204,
    removingProtected,
    ({ own }) => ({ path: { branch: `guarded-gone-${own}` } }),
    { when: "that is protected" }
  ],
  ["DELETE /projects/:id/repository/merged_branches", 202, branching],
  [
    "PUT /projects/:id/repository/branches/:branch/protect",
    200,
    protecting,
    ({ own }) => ({ path: { branch: `protect-${own}` } })
  ],
  [
    "PUT /projects/:id/repository/branches/:branch/unprotect",
    200,
    protecting,
    ({ own }) => ({ path: { branch: `unprotect-${own}` } })
  ],

  ["GET /projects/:id/repository/tags", 200, code],
  ["GET /projects/:id/repository/tags/:tag_name", 200, code, () => ({ path: { tag_name: "v1.0.0" } })],
  ["GET /projects/:id/repository/tags/:tag_name/signature", 200, code, () => ({ path: { tag_name: "signed" } })],
  ["POST /projects/:id/repository/tags", 201, developing, ({ own }) => ({ json: { tag_name: `made-${own}`, ref: "main" } })],
  ["DELETE /projects/:id/repository/tags/:tag_name", 204, developing, ({ own }) => ({ path: { tag_name: `gone-${own}` } })],

  ["GET /projects/:id/repository/commits", 200, branches],
  ["GET /projects/:id/repository/commits/:sha", 200, branches, ({ first }) => ({ path: { sha: first } })],
  ["GET /projects/:id/repository/commits/:sha/diff", 200, branches, ({ first }) => ({ path: { sha: first } })],
  ["GET /projects/:id/repository/commits/:sha/refs", 200, branches, ({ topic }) => ({ path: { sha: topic } })],
  ["GET /projects/:id/repository/commits/:sha/sequence", 200, branches, ({ first }) => ({ path: { sha: first } })],
  ["GET /projects/:id/repository/commits/:sha/comments", 200, branches, ({ first }) => ({ path: { sha: first } })],
  [
    "POST /projects/:id/repository/commits/:sha/comments",
    201,
    commenting,
    ({ first, own }) => ({ path: { sha: first }, json: { note: own } })
  ],
  [
    "GET /projects/:id/repository/commits/:sha/merge_requests",
    200,
    mergeRequestsOfCommits,
    ({ first }) => ({ path: { sha: first } })
  ],
  ["GET /projects/:id/repository/commits/:sha/signature", 200, branches, ({ signed }) => ({ path: { sha: signed } })],
  ["POST /projects/:id/repository/commits", 201, committing, ({ own }) => create(own, `commit-${own}`)],
  [
    "POST /projects/:id/repository/commits",
    201,
    committingProtected,
    ({ own }) => create(own, `guarded-${own}`),
    { when: "to a protected branch" }
  ],
  [
    "POST /projects/:id/repository/commits/:sha/cherry_pick",
    201,
    committing,
    ({ own, topic }) => ({ path: { sha: topic }, json: { branch: `pick-${own}` } })
  ],
  [
    "POST /projects/:id/repository/commits/:sha/revert",
    201,
    committing,
    ({ own }) => ({ path: { sha: "main" }, json: { branch: `revert-${own}` } })
  ],

  ["GET /projects/:id/repository/files/:file_path", 200, code, () => ({ path: { file_path: "a.txt" }, ...onMain }), { scope }],
  ["GET /projects/:id/repository/files/:file_path/raw", 200, code, () => ({ path: { file_path: "a.txt" } }), { scope }],
  [
    "GET /projects/:id/repository/files/:file_path/blame",
    200,
    code,
    () => ({ path: { file_path: "a.txt" }, ...onMain }),
    { scope }
  ],
  [
    "POST /projects/:id/repository/files/:file_path",
    201,
    developing,
    ({ own }) => ({ path: { file_path: "new.txt" }, json: { ...commit, branch: `create-${own}`, content: "new\n" } }),
    { scope }
  ],
  [
    "PUT /projects/:id/repository/files/:file_path",
    200,
    developing,
    ({ own }) => ({ path: { file_path: "a.txt" }, json: { ...commit, branch: `update-${own}`, content: "new\n" } }),
    { scope }
  ],
  [
    "DELETE /projects/:id/repository/files/:file_path",
    204,
    developing,
    ({ own }) => ({ path: { file_path: "a.txt" }, json: { ...commit, branch: `delete-${own}` } }),
    { scope }
  ]
]
