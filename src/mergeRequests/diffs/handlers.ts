import { Effect } from "effect"
import { diff } from "../../git/diff/diff.ts"
import type { DiffEntry } from "../../git/diff/entry.ts"
import { type DiffLimits, noLimits } from "../../git/diff/limits.ts"
import { rawDiff } from "../../git/diff/rawDiff.ts"
import { versionLimits } from "../../git/diff/versions.ts"
import { commitsSince } from "../../git/history/commitsSince.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { notFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageIn, pageOf } from "../../http/answer/pagination.ts"
import { ok, page, RawBody, revalidate } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { mapInSlices } from "../../kernel/inSlices.ts"
import { requireProject } from "../../projects/Projects.ts"
import { fileAt, presentCommit, presentDiff } from "../../repositories/Code.ts"
import { MergeRequestQueries, type MergeRequestRow, type VersionRow } from "../Queries.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { generatedFiles } from "../text/generatedFiles.ts"
import { detailsOf } from "../view.ts"
import { commits } from "./commits.ts"
import type { MergeRequestVersion } from "./contract.ts"
import { listDiffs, listVersions, readChanges, readRawDiffs, readVersion } from "./contract.ts"

type Ends = Pick<VersionRow, "base_sha" | "head_sha" | "project_id">

/** The attributes that a repository gives its files; none where there are more than anybody writes. */
const attributesOf = Effect.fnUntraced(function* (repository: Repository, commit: string) {
  const bound = { limit: 2 ** 20, orTooLarge: () => "too large" } as const
  const file = yield* Effect.catch(fileAt(repository, { commit, path: ".gitattributes" }, bound), () => Effect.undefined)
  return file?.content.toString() ?? ""
})

/** Files that differ, as they are shown, with whether programs made them. */
const presentFiles = Effect.fnUntraced(function* (
  entries: ReadonlyArray<DiffEntry>,
  { head_sha, project_id }: Pick<Ends, "head_sha" | "project_id">,
  isUnidiff: boolean
) {
  const attributes = entries.length === 0 ? "" : yield* attributesOf((yield* Repositories).of(project_id), head_sha)
  const generated = yield* generatedFiles(
    entries.map(({ newPath }) => newPath),
    attributes
  )
  return yield* mapInSlices(entries, (entry) => ({
    ...presentDiff(entry, isUnidiff),
    generated_file: generated.has(entry.newPath)
  }))
})

/** The files that differ in a version. */
const filesOf = Effect.fnUntraced(function* ({ base_sha, head_sha, project_id }: Ends, limits: DiffLimits = versionLimits) {
  const repository = (yield* Repositories).of(project_id)
  return yield* Effect.orDie(diff(repository, { from: base_sha, to: head_sha, limits }))
})

const headOf = ({ project_id, sha }: MergeRequestRow) => ({ head_sha: sha, project_id })

const lastVersion = (row: MergeRequestRow): Ends | undefined =>
  row.base_sha === null ? undefined : { base_sha: row.base_sha, ...headOf(row) }

const noFiles = { entries: [], isOverflow: false }

/** The files that differ in the last version: none before the first. */
const filesOfLast = (row: MergeRequestRow, limits?: DiffLimits) => {
  const last = lastVersion(row)
  return last === undefined ? Effect.succeed(noFiles) : filesOf(last, limits)
}

const changes = route(
  readChanges,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const isRaw = parameters.access_raw_diffs === true
    const [details, { entries, isOverflow }] = yield* Effect.all(
      [detailsOf(row, found, { caller, request }), filesOfLast(row, isRaw ? noLimits : versionLimits)],
      { concurrency: 2 }
    )
    const files = yield* presentFiles(entries, headOf(row), parameters.unidiff === true)
    return ok({ ...details, changes: files, overflow: isOverflow && !isRaw })
  })
)

const diffs = route(
  listDiffs,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const { entries } = yield* filesOfLast(row)
    const files = yield* presentFiles(pageIn(entries, parameters), headOf(row), parameters.unidiff === true)
    return page(files, entries.length)
  })
)

/** The whole difference, however large: nothing before the first version. */
const rawDiffs = route(
  readRawDiffs,
  Effect.fnUntraced(function* (input) {
    const row = yield* requireMergeRequest(yield* requireProject(input), input.parameters.merge_request_iid)
    const last = lastVersion(row)
    const printed = (ends: Ends) =>
      Effect.flatMap(Repositories, (repositories) =>
        rawDiff(repositories.of(ends.project_id), { from: ends.base_sha, to: ends.head_sha })
      )
    const content = last === undefined ? Buffer.alloc(0) : (yield* Effect.orDie(printed(last))).content
    return { body: new RawBody("text/plain", content), headers: revalidate }
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
    const range = { base: shown.base_sha, head: shown.head_sha, start: shown.start_sha, limit: maxCommits }
    const [{ entries }, { ids }] = yield* Effect.all([filesOf(shown, noLimits), Effect.orDie(commitsSince(repository, range))], {
      concurrency: 2
    })
    const listed = yield* Effect.orDie(readCommits(repository, ids))
    const projectUrl = `${request.externalUrl}/${found.project.path_with_namespace}`
    return ok({
      ...presentVersion(shown),
      commits: listed.map((commit) => presentCommit(commit, projectUrl)),
      diffs: yield* presentFiles(entries, shown, parameters.unidiff === true)
    })
  })
)

export const diffRoutes = [changes, diffs, rawDiffs, commits, versions, version]
