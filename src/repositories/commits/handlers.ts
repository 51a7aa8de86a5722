import { Effect } from "effect"
import { diff } from "../../git/diff/diff.ts"
import { countCommits as count } from "../../git/history/log.ts"
import { emptyTreeId } from "../../git/objectId.ts"
import { refsContaining } from "../../git/refs/refs.ts"
import { forbidden } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { mapInSlices } from "../../kernel/inSlices.ts"
import { can } from "../../projects/Projects.ts"
import { CommitMergeRequests } from "../CommitMergeRequests.ts"
import { openRepository } from "../openRepository.ts"
import type { CommitRefShape } from "../refs/shapes.ts"
import { cherryPickRoute, revertRoute } from "./changes.ts"
import {
  countCommits,
  listCommitMergeRequests,
  listCommitRefs,
  readCommit,
  readCommitDiff,
  readCommitSignature
} from "./contract.ts"
import { createCommitRoute } from "./create.ts"
import { commitListRoute } from "./list.ts"
import { presentDiff } from "./presentDiff.ts"
import { answerSignature } from "./signature.ts"
import { presentDetail, requireCommit } from "./view.ts"

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
    const shown = pageIn(entries, parameters).map((entry) => presentDiff(entry, parameters.unidiff))
    return page(shown, entries.length)
  })
)

type CommitRef = typeof CommitRefShape.Type

const refsRoute = guardedRoute(
  listCommitRefs,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    const { id } = yield* requireCommit(guarded, parameters.sha)
    const { type: requestedType } = parameters
    const kinds = requestedType === "all" ? (["branch", "tag"] as const) : [requestedType]
    const refs: ReadonlyArray<ReadonlyArray<CommitRef>> = yield* Effect.forEach(
      kinds,
      (type) =>
        Effect.flatMap(Effect.orDie(refsContaining(guarded.repository, id, type)), (names) =>
          mapInSlices(names, (name): CommitRef => ({ type, name }))
        ),
      { concurrency: 2 }
    )
    const all = refs.flat()
    return page(pageIn(all, parameters), all.length)
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

const mergeRequestsRoute = guardedRoute(
  listCommitMergeRequests,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { project, principal } = guarded
    if (!can("read_merge_requests", principal, project)) return yield* forbidden
    const { id: sha } = yield* requireCommit(guarded, parameters.sha)
    const commit = { projectId: project.id, sha }
    const query = { commit, state: parameters.state ?? undefined, request, paging: parameters }
    return yield* CommitMergeRequests.use((requests) => requests.list(query))
  })
)

const signatureRoute = guardedRoute(
  readCommitSignature,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request: { externalUrl } }) {
    const { repository } = guarded
    const { committer, id } = yield* requireCommit(guarded, parameters.sha)
    return yield* answerSignature({ repository, id, email: committer.email, externalUrl })
  })
)

export const commitRoutes = [
  commitListRoute,
  readRoute,
  diffRoute,
  refsRoute,
  sequenceRoute,
  mergeRequestsRoute,
  signatureRoute,
  createCommitRoute,
  cherryPickRoute,
  revertRoute
]
