import { Effect } from "effect"
import type { Commit } from "../git/commit.ts"
import { log } from "../git/log.ts"
import { guardedRoute, type Input } from "../http/Endpoint.ts"
import { badRequest } from "../http/errors.ts"
import { pageOf } from "../http/pagination.ts"
import type { Reply } from "../http/Reply.ts"
import type { ProjectRow } from "../projects/Projects.ts"
import { projectUrl } from "./access.ts"
import { listCommits } from "./commitContract.ts"
import type { ListedCommit } from "./commitShapes.ts"
import { statsOf } from "./commitView.ts"
import { openRepository } from "./openRepository.ts"
import { presentCommit } from "./presentCommit.ts"
import { commitOrDefault } from "./revision.ts"

/** `git` counts no further. */
const mostSkipped = 2 ** 31 - 1

type Given = Input<typeof listCommits.parameters, "anyone">["parameters"]

const badRef = badRequest("ref_name is invalid")
/** What the reference does not even look for. */
const odd = /^-|[\s\0:]/

/** Whose histories are listed: none where there is no such revision. */
const startsOf = Effect.fnUntraced(function* (project: ProjectRow, { all, ref_name }: Given) {
  if (ref_name && odd.test(ref_name)) return yield* badRef
  if (all === true) return "all" as const
  const named = yield* commitOrDefault(project, ref_name || null)
  return named === undefined ? [] : [named.commit]
})

/** Seconds since 1970, as `git` takes them: nothing is older. */
const seconds = (value: number): number => Math.max(0, value)

const filterOf = ({ author, first_parent, order, path, since, until }: Given) => ({
  order,
  firstParent: first_parent === true,
  ...(path ? { path } : {}),
  ...(author ? { author } : {}),
  ...(typeof since === "number" ? { since: seconds(Math.ceil(since / 1000)) } : {}),
  ...(typeof until === "number" ? { until: seconds(Math.floor(until / 1000)) } : {})
})

export const commitListRoute = guardedRoute(
  listCommits,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { project, repository } = guarded
    const { limit, offset } = pageOf(parameters)
    const found = yield* startsOf(project, parameters)
    const from = offset > mostSkipped ? [] : found
    const commits: ReadonlyArray<Commit> = yield* Effect.orDie(
      log(repository, { from, ...filterOf(parameters), skip: offset, limit })
    )
    const url = projectUrl(project, request)
    const shown = yield* Effect.forEach(
      commits,
      Effect.fnUntraced(function* (commit) {
        const base = presentCommit(commit, url, parameters.trailers ? undefined : [])
        const listed: typeof ListedCommit.Type =
          parameters.with_stats === true ? { ...base, stats: yield* statsOf(repository, commit) } : base
        return listed
      }),
      { concurrency: 4 }
    )
    // A full page leads to a next one, even when that is empty.
    const reply: Reply = { body: shown, extent: { hasNext: commits.length === limit } }
    return reply
  })
)
