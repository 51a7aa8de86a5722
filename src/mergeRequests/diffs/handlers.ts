import { Effect } from "effect"
import { diff } from "../../git/diff/diff.ts"
import type { DiffEntry } from "../../git/diff/entry.ts"
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
import { described } from "../described.ts"
import { MergeRequestQueries, type MergeRequestRow, type VersionRow } from "../Queries.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { generatedTest } from "../text/generatedFiles.ts"
import { detailsOf } from "../view.ts"
import { commits } from "./commits.ts"
import type { MergeRequestVersion } from "./contract.ts"
import { listDiffs, listVersions, readChanges, readRawDiffs, readVersion } from "./contract.ts"
import { unlessLost } from "./lostCommits.ts"
import { withWholeDiff } from "./streamed.ts"

type Ends = Pick<VersionRow, "base_sha" | "head_sha" | "project_id">

/** The attributes that a repository gives its files; none where there are more than anybody writes. */
const attributesOf = Effect.fnUntraced(function* (repository: Repository, commit: string) {
  const bound = { limit: 2 ** 20, orTooLarge: () => "too large" } as const
  const file = yield* Effect.catch(fileAt(repository, { commit, path: ".gitattributes" }, bound), () => Effect.undefined)
  return file?.content.toString() ?? ""
})

/** Tells of one file after the other of a version whether programs made it. */
const generatedIn = Effect.fnUntraced(function* (repository: Repository, commit: string) {
  return yield* generatedTest(yield* attributesOf(repository, commit))
})

/** Files that differ, as they are shown, with whether programs made them. */
const presentFiles = Effect.fnUntraced(function* (
  entries: ReadonlyArray<DiffEntry>,
  { head_sha, project_id }: Pick<Ends, "head_sha" | "project_id">,
  isUnidiff: boolean
) {
  if (entries.length === 0) return []
  const isGenerated = yield* generatedIn((yield* Repositories).of(project_id), head_sha)
  return yield* mapInSlices(entries, (entry) => ({
    ...presentDiff(entry, isUnidiff),
    generated_file: isGenerated(entry.newPath)
  }))
})

/** The repository, and what is shown whole of it. */
const shownWhole = Effect.fnUntraced(function* ({ base_sha: from, head_sha: to, project_id }: Ends, isUnidiff: boolean) {
  const repository = (yield* Repositories).of(project_id)
  return [repository, { from, to, isUnidiff, isGenerated: yield* generatedIn(repository, to) }] as const
})

const headOf = ({ project_id, sha }: MergeRequestRow) => ({ head_sha: sha, project_id })

const lastVersion = (row: MergeRequestRow): Ends | undefined =>
  row.base_sha === null ? undefined : { base_sha: row.base_sha, ...headOf(row) }

const noFiles = { entries: [], isOverflow: false }

/** The files that differ in the last version: none before the first. */
const filesOfLast = Effect.fnUntraced(function* (row: MergeRequestRow) {
  const last = lastVersion(row)
  if (last === undefined) return noFiles
  const repository = (yield* Repositories).of(last.project_id)
  const { base_sha: from, head_sha: to } = last
  return yield* unlessLost(repository, [from, to], diff(repository, { from, to, limits: versionLimits }))
})

const changes = route(
  readChanges,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const isUnidiff = parameters.unidiff === true
    const detailing = detailsOf(yield* described(row), found, { caller, request })
    const last = lastVersion(row)
    if (parameters.access_raw_diffs === true && last !== undefined) {
      const details = yield* detailing
      const answer = { ...details, changes: [], overflow: false } as const
      return yield* withWholeDiff(...(yield* shownWhole(last, isUnidiff)), { answer, key: "changes" })
    }
    const [details, { entries, isOverflow }] = yield* Effect.all([detailing, filesOfLast(row)], { concurrency: 2 })
    const files = yield* presentFiles(entries, headOf(row), isUnidiff)
    return ok({ ...details, changes: files, overflow: isOverflow })
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
    const printed = ({ base_sha: from, head_sha: to, project_id }: Ends) =>
      Effect.flatMap(Repositories, (repositories) =>
        unlessLost(repositories.of(project_id), [from, to], rawDiff(repositories.of(project_id), { from, to }))
      )
    const content = last === undefined ? Buffer.alloc(0) : (yield* printed(last)).content
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
    const [base, head, start] = [shown.base_sha, shown.head_sha, shown.start_sha]
    const reading = Effect.flatMap(commitsSince(repository, { base, head, start, limit: maxCommits }), ({ ids }) =>
      readCommits(repository, ids)
    )
    const listed = yield* unlessLost(repository, [base, head, start], reading)
    const projectUrl = `${request.externalUrl}/${found.project.path_with_namespace}`
    const commits = listed.map((commit) => presentCommit(commit, projectUrl))
    const answer = { ...presentVersion(shown), commits, diffs: [] } as const
    return yield* withWholeDiff(...(yield* shownWhole(shown, parameters.unidiff === true)), { answer, key: "diffs" })
  })
)

export const diffRoutes = [changes, diffs, rawDiffs, commits, versions, version]
