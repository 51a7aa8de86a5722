import { Clock, Effect } from "effect"
import { notesOf, sectionOf } from "../../changelog/release.ts"
import { type ChangelogFailed, failures } from "../../changelog/template/errors.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef, isBranchName } from "../../git/refs/refNames.ts"
import { isFilePath } from "../../git/write/filePaths.ts"
import { forbiddenBecause, unprocessable } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import type { Moment } from "../../http/parameters/dateTimes.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { initialBranch } from "../../projects/ProjectProtections.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { policyOf } from "../../pushes/Pushes.ts"
import { projectUrl, requireCode } from "../access.ts"
import { plainPath } from "../commits/actions.ts"
import { identityOf } from "../commits/identity.ts"
import { mayCommitTo } from "../commits/start.ts"
import { DownloadLimits } from "../DownloadLimits.ts"
import { badPath, leadsOutside } from "../files/view.ts"
import { commitOf, commitOrDefault, defaultBranchOf } from "../revision.ts"
import { commitSection } from "./commit.ts"
import { selectCommits } from "./commits.ts"
import { commitChangelog, readChangelog } from "./contract.ts"
import { entriesOf } from "./entries.ts"
import { commitsInRange, configOf } from "./range.ts"

type ReadInput = Input<typeof readChangelog.parameters, "user"> & { readonly guarded: ReadableProject }
type CommitInput = Input<typeof commitChangelog.parameters, "user"> & { readonly guarded: ReadableProject }

const mayNotCommit = forbiddenBecause("You are not allowed to commit a changelog on this branch")

const answered = ({ reason }: ChangelogFailed) => unprocessable(`Failed to generate the changelog: ${reason}`)

const dateOf = Effect.fnUntraced(function* (sent: Moment | null | undefined) {
  if (!sent) return { epochMillis: yield* Clock.currentTimeMillis, offsetSeconds: 0 }
  return { epochMillis: sent.millis, offsetSeconds: sent.offsetMinutes * 60 }
})

/** The section of the version. `to`: id of the commit with which the range ends; undefined: there is none. */
const sectionFor = Effect.fnUntraced(function* (input: ReadInput, to: string | undefined) {
  const { caller, guarded, parameters, request } = input
  const { project } = guarded
  const config = yield* configOf(project, parameters.config_file)
  const version = parameters.version ?? (yield* failures.versionBlank())
  const ids = yield* commitsInRange(project, { version, from: parameters.from, to }, config)
  const repository = (yield* Repositories).of(project.id)
  const commits = yield* selectCommits(repository, ids, parameters.trailer)
  const entriesInput = { project, projectUrl: projectUrl(project, request), caller, includeGroups: config.includeGroups }
  const entries = yield* entriesOf(commits, entriesInput)
  const release = { version, date: yield* dateOf(parameters.date), entries }
  const section = yield* Effect.fromResult(yield* inSlices(sectionOf(release, config)))
  return { section, version }
}, spanned("changelog.sectionFor"))

/** Fails for a path of the configuration that the files interface would not take. A blank one names no file. */
const requireConfigPath = ({ parameters }: ReadInput) => {
  const path = plainPath(parameters.config_file)
  const isBad = leadsOutside(parameters.config_file) || (path !== "" && !isFilePath(path))
  return isBad ? Effect.fail(badPath("config_file")) : Effect.void
}

const read = Effect.fnUntraced(function* (input: ReadInput) {
  const { caller, guarded, parameters } = input
  yield* requireConfigPath(input)
  yield* DownloadLimits.use((limits) => limits.changelog(caller, guarded.project.id))
  const end = yield* commitOrDefault(guarded.project, parameters.to)
  const { section } = yield* Effect.mapError(sectionFor(input, end?.commit), answered)
  return ok({ notes: notesOf(section) })
})

/** The name of the branch to commit to, and where it is. */
const branchOf = Effect.fnUntraced(function* ({ guarded: { project }, parameters }: CommitInput) {
  const name = parameters.branch ?? (yield* defaultBranchOf(project)) ?? initialBranch
  return { name, at: isBranchName(name) ? yield* commitOf(project, branchRef(name)) : undefined }
})

/** Commits the section to a branch. `to`: as in `sectionFor`. */
const commitTo = Effect.fnUntraced(function* (input: CommitInput, branch: string, to: string | undefined) {
  const { caller, guarded, parameters, request } = input
  const { section, version } = yield* sectionFor(input, to)
  yield* commitSection({
    projectId: guarded.project.id,
    branch,
    file: parameters.file,
    version,
    section,
    // Gap: a blank message counts as none.
    message: parameters.message?.trim() ? parameters.message : `Add changelog for version ${version}`,
    author: identityOf(caller, request)
  })
})

const commit = Effect.fnUntraced(function* (input: CommitInput) {
  const { caller, guarded, parameters } = input
  const { project, principal } = guarded
  yield* requireConfigPath(input)
  yield* DownloadLimits.use((limits) => limits.changelog(caller, project.id))
  const branch = yield* branchOf(input)
  const policy = yield* policyOf(guarded, principal)
  if (!mayCommitTo(policy, branch.name, branch.at ?? null)) return yield* mayNotCommit
  const end = typeof parameters.to === "string" ? yield* commitOf(project, parameters.to) : branch.at
  yield* Effect.mapError(commitTo(input, branch.name, end), answered)
  return ok(commitChangelog.success.status)
})

export const changelogRoutes = [
  guardedRoute(readChangelog, requireCode, read),
  guardedRoute(commitChangelog, requireCode, commit)
]
