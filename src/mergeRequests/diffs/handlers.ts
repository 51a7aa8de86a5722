import { Effect } from "effect"
import { compare } from "../../git/diff/compare.ts"
import { diff } from "../../git/diff/diff.ts"
import type { DiffEntry } from "../../git/diff/entry.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { notFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageIn, pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { requireProject } from "../../projects/Projects.ts"
import { presentCommit, presentDiff } from "../../repositories/Code.ts"
import { MergeRequestQueries, type MergeRequestRow, type VersionRow } from "../Queries.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { detailsOf } from "../view.ts"
import type { MergeRequestVersion } from "./contract.ts"
import { listDiffs, listVersions, readChanges, readVersion } from "./contract.ts"

/** Programs make no file that is known by its name. */
const presentEntry = (isUnidiff: boolean) => (entry: DiffEntry) => ({ ...presentDiff(entry, isUnidiff), generated_file: false })

type Ends = Pick<VersionRow, "base_sha" | "head_sha" | "project_id">

/** The files that differ in a version. */
const filesOf = Effect.fnUntraced(function* ({ base_sha, head_sha, project_id }: Ends) {
  const repository = (yield* Repositories).of(project_id)
  return yield* Effect.orDie(diff(repository, { from: base_sha, to: head_sha }))
})

const lastVersion = ({ base_sha, project_id, sha }: MergeRequestRow): Ends | undefined =>
  base_sha === null ? undefined : { base_sha, head_sha: sha, project_id }

const noFiles = { entries: [], isOverflow: false }

/** The files that differ in the last version: none before the first. */
const filesOfLast = (row: MergeRequestRow) => {
  const last = lastVersion(row)
  return last === undefined ? Effect.succeed(noFiles) : filesOf(last)
}

const changes = route(
  readChanges,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const [details, { entries, isOverflow }] = yield* Effect.all([detailsOf(row, found, { caller, request }), filesOfLast(row)], {
      concurrency: 2
    })
    return ok({ ...details, changes: entries.map(presentEntry(parameters.unidiff === true)), overflow: isOverflow })
  })
)

const diffs = route(
  listDiffs,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* requireProject(input)
    const { entries } = yield* filesOfLast(yield* requireMergeRequest(found, parameters.merge_request_iid))
    return page(pageIn(entries, parameters).map(presentEntry(parameters.unidiff === true)), entries.length)
  })
)

const presentVersion = (row: VersionRow): typeof MergeRequestVersion.Type => ({
  id: row.id,
  head_commit_sha: row.head_sha,
  base_commit_sha: row.base_sha,
  start_commit_sha: row.start_sha,
  created_at: isoMillis(row.created_at),
  merge_request_id: row.merge_request_id,
  state: row.is_cut ? "overflow" : "collected",
  real_size: `${row.files}${row.is_cut ? "+" : ""}`,
  patch_id_sha: row.patch_id
})

const versions = route(
  listVersions,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const { rows, extent } = yield* MergeRequestQueries.use((requests) => requests.versions(row, pageOf(parameters)))
    return page(rows.map(presentVersion), extent)
  })
)

/** Commits of a version that are shown. */
const maxCommits = 1_000

const version = route(
  readVersion,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const id = parameters.version_id ?? (yield* notFound)
    const shown = (yield* MergeRequestQueries.use((requests) => requests.version(row, id))) ?? (yield* notFound)
    const repository = (yield* Repositories).of(row.project_id)
    const between = { from: shown.base_sha, to: shown.head_sha, isStraight: true, limit: maxCommits }
    const [{ entries }, compared] = yield* Effect.all([filesOf(shown), Effect.orDie(compare(repository, between))], {
      concurrency: 2
    })
    const commits = yield* Effect.orDie(readCommits(repository, compared.commits))
    const projectUrl = `${request.externalUrl}/${found.project.path_with_namespace}`
    return ok({
      ...presentVersion(shown),
      commits: commits.toReversed().map((commit) => presentCommit(commit, projectUrl)),
      diffs: entries.map(presentEntry(parameters.unidiff === true))
    })
  })
)

export const diffRoutes = [changes, diffs, versions, version]
