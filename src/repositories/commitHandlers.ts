import { Effect } from "effect"
import { diff } from "../git/diff.ts"
import { countCommits as count } from "../git/log.ts"
import { emptyTreeId } from "../git/objectId.ts"
import { refsContaining } from "../git/refs.ts"
import { guardedRoute } from "../http/Endpoint.ts"
import { pageOf } from "../http/pagination.ts"
import { ok, page } from "../http/Reply.ts"
import { cherryPickRoute, revertRoute } from "./commitChanges.ts"
import { countCommits, listComments, listCommitRefs, readCommit, readCommitDiff } from "./commitContract.ts"
import { createCommitRoute } from "./commitCreate.ts"
import { commitListRoute } from "./commitList.ts"
import { presentDetail, requireCommit } from "./commitView.ts"
import { openRepository } from "./openRepository.ts"
import { presentDiff } from "./presentDiff.ts"
import type { CommitRefShape } from "./refShapes.ts"

const readRoute = guardedRoute(
  readCommit,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const commit = yield* requireCommit(guarded, parameters.sha)
    return ok(yield* presentDetail(guarded, commit, { request, withStats: parameters.stats }))
  })
)

const diffRoute = guardedRoute(
  readCommitDiff,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    const { id, parents } = yield* requireCommit(guarded, parameters.sha)
    const { entries } = yield* Effect.orDie(diff(guarded.repository, { from: parents[0] ?? emptyTreeId, to: id }))
    const { limit, offset } = pageOf(parameters)
    const shown = entries.slice(offset, offset + limit).map((entry) => presentDiff(entry, parameters.unidiff))
    return page(shown, entries.length)
  })
)

type CommitRef = typeof CommitRefShape.Type

const refsRoute = guardedRoute(
  listCommitRefs,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    const { id } = yield* requireCommit(guarded, parameters.sha)
    const kinds = (["branch", "tag"] as const).filter((kind) => parameters.type !== (kind === "branch" ? "tag" : "branch"))
    const refs: ReadonlyArray<ReadonlyArray<CommitRef>> = yield* Effect.forEach(kinds, (type) =>
      Effect.map(Effect.orDie(refsContaining(guarded.repository, id, type)), (names) => names.map((name) => ({ type, name })))
    )
    const all = refs.flat()
    const { limit, offset } = pageOf(parameters)
    return page(all.slice(offset, offset + limit), all.length)
  })
)

const sequenceRoute = guardedRoute(
  countCommits,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    const { id } = yield* requireCommit(guarded, parameters.sha)
    return ok({ count: yield* Effect.orDie(count(guarded.repository, { from: [id], firstParent: parameters.first_parent })) })
  })
)

const commentsRoute = guardedRoute(
  listComments,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requireCommit(guarded, parameters.sha)
    return page([], 0)
  })
)

export const commitRoutes = [
  commitListRoute,
  readRoute,
  diffRoute,
  refsRoute,
  sequenceRoute,
  commentsRoute,
  createCommitRoute,
  cherryPickRoute,
  revertRoute
]
