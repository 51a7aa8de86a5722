import { Effect } from "effect"
import { commitStats } from "../../git/diff/commitStats.ts"
import { type LogOptions, log } from "../../git/history/log.ts"
import { mergeBases } from "../../git/history/mergeBase.ts"
import { emptyTreeId } from "../../git/objectId.ts"
import type { Commit } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import { badRequest } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { projectUrl } from "../access.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { commitOrDefault } from "../revision.ts"
import { listCommits } from "./contract.ts"
import { presentCommit } from "./present.ts"
import type { ListedCommit } from "./shapes.ts"
import { presentStats } from "./view.ts"

/** The highest number that `git` accepts for `--skip`. */
const maxSkipped = 2 ** 31 - 1

type ListParameters = Input<typeof listCommits.parameters, "anyone">["parameters"]

const badRef = badRequest("ref_name is invalid")
/** What the reference does not even look for. */
const impossiblePattern = /^-|[\s\0:]/

/** `a..b` and `a...b`; a side that is left out is the default branch. No name has two dots. */
const range = /^(.*?)(\.\.\.?)(.*)$/s

type Starts = Pick<LogOptions, "from" | "without">

const histories = Effect.fnUntraced(function* (project: ProjectRow, repository: Repository, text: string | null) {
  const [, left, dots, right] = range.exec(text ?? "") ?? []
  const from = yield* commitOrDefault(project, (dots === undefined ? text : right) || null)
  // What is not in the empty tree is everything.
  const isWhole = dots === undefined || (dots === ".." && left === emptyTreeId)
  if (from === undefined || isWhole) return { from: from === undefined ? [] : [from.commit] }
  const without = yield* commitOrDefault(project, left || null)
  if (without === undefined) return { from: [] }
  if (dots === "..") return { from: [from.commit], without: [without.commit] }
  const sides = [from.commit, without.commit] as const
  return { from: sides, without: yield* Effect.orDie(mergeBases(repository, sides)) }
})

/** Whose histories are listed: none where there is no such revision. */
const startsOf = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, { all, ref_name }: ListParameters) {
  if (ref_name && impossiblePattern.test(ref_name)) return yield* badRef
  const starts: Starts = all === true ? { from: "all" } : yield* histories(project, repository, ref_name || null)
  return starts
})

/** Limits seconds to those that `git` takes, which are not before 1970. */
const seconds = (value: number): number => Math.max(0, value)

const filterOf = ({ author, first_parent, order, path, since, until }: ListParameters) =>
  defined({
    order,
    firstParent: first_parent === true,
    path: path || undefined,
    author: author || undefined,
    since: typeof since === "number" ? seconds(Math.ceil(since / 1000)) : undefined,
    until: typeof until === "number" ? seconds(Math.floor(until / 1000)) : undefined
  })

export const commitListRoute = guardedRoute(
  listCommits,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { project, repository } = guarded
    const { limit, offset } = pageOf(parameters)
    const found = yield* startsOf(guarded, parameters)
    const starts = offset > maxSkipped ? { from: [] } : found
    const commits: ReadonlyArray<Commit> = yield* Effect.orDie(
      log(repository, { ...starts, ...filterOf(parameters), skip: offset, limit })
    )
    const url = projectUrl(project, request)
    const stats = parameters.with_stats === true ? yield* Effect.orDie(commitStats(repository, commits)) : undefined
    const shown = commits.map((commit): typeof ListedCommit.Type => ({
      ...presentCommit(commit, url, parameters.trailers ? undefined : []),
      ...defined({ stats: stats && presentStats(stats.get(commit.id)) })
    }))
    // A full page leads to a next one, even when that is empty.
    return { body: shown, extent: { hasNext: commits.length === limit } }
  })
)
