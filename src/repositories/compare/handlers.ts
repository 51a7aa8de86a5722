import { Effect } from "effect"
import { compare } from "../../git/diff/compare.ts"
import { diff } from "../../git/diff/diff.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, forbiddenBecause, thingNotFound } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { mapInSlices } from "../../kernel/inSlices.ts"
import { inBulkPlace } from "../../platform/work/WorkPlaces.ts"
import { can, Projects, principalOf, type ReadableProject } from "../../projects/Projects.ts"
import { projectUrl, requireCode } from "../access.ts"
import { presentComparedCommit } from "../commits/present.ts"
import { presentDiff } from "../commits/presentDiff.ts"
import { compareRefs } from "../contract.ts"
import { commitOf } from "../revision.ts"
import { isSameNetwork } from "./forkNetwork.ts"

const noRef = thingNotFound("Ref")
const noAccess = forbiddenBecause("You don't have access to this fork's parent project")
const noFork = (fromId: number, sentId: string | null) =>
  badRequest(`Target project id:${fromId} is not a fork of project id:${sentId}`)

interface SourceInput {
  /** The id as sent. */
  readonly sentId: string | null
  readonly fromId: number
  readonly caller: Caller | undefined
}

/** The project in which `from` is looked for. One that the caller may not see is none of the network. */
const requireSource = Effect.fnUntraced(function* ({ project }: ReadableProject, { caller, fromId, sentId }: SourceInput) {
  if (fromId === project.id) return project
  const found = yield* Projects.use((projects) => projects.find(String(fromId), caller?.user.id))
  if (found === undefined) return yield* noFork(fromId, sentId)
  const principal = principalOf(caller, found.role)
  const isFork = can("read_project", principal, found.project) && (yield* isSameNetwork(project, found.project))
  if (!isFork) return yield* noFork(fromId, sentId)
  return can("read_code", principal, found.project) ? found.project : yield* noAccess
})

/** Comparisons of more commits are few at a time, because they hold all of them. */
const maxShort = 500

export const compareRoute = guardedRoute(
  compareRefs,
  requireCode,
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request }) {
    const { project } = guarded
    const { from_project_id: fromId, id: sentId, straight, unidiff } = parameters
    const sourceInput = { caller, sentId, fromId: fromId ?? project.id }
    const source = yield* requireSource(guarded, sourceInput)
    const [from, to] = yield* Effect.all([commitOf(source, parameters.from ?? ""), commitOf(project, parameters.to ?? "")], {
      concurrency: 2
    })
    if (from === undefined || to === undefined) return yield* noRef
    const repositories = yield* Repositories
    const repository = repositories.of(project.id)
    const alsoFrom = source.id === project.id ? [] : [repositories.of(source.id)]
    const [fromRepository] = alsoFrom
    const comparison = yield* Effect.orDie(
      compare(repository, { from, to, isStraight: straight, ...defined({ fromRepository }) })
    )
    const reading = Effect.all(
      [readCommits(repository, comparison.commits), diff(repository, { from: comparison.base, to, alsoFrom })],
      { concurrency: 2 }
    )
    const isLong = comparison.commits.length > maxShort
    const [commits, changes] = yield* Effect.orDie(isLong ? inBulkPlace(repository.path, reading) : reading)
    const shown = yield* mapInSlices(commits, presentComparedCommit)
    return ok({
      commit: shown.at(-1) ?? null,
      commits: shown,
      diffs: changes.entries.map((entry) => presentDiff(entry, unidiff)),
      compare_timeout: comparison.isCutShort || changes.isOverflow,
      compare_same_ref: comparison.isSameRef,
      web_url: `${projectUrl(project, request)}/-/compare/${comparison.base}...${to}`
    })
  })
)
