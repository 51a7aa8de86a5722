import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { PushLocks } from "../../git/refs/pushLocks.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { handle } from "../../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { workThrough } from "../../platform/reactions/workThrough.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { openedOf, refresh } from "./refresh.ts"

const reason = "Whether it can be merged could not be found out, which is tried again."

/** While somebody is about to move its target branch, whether it can be merged would have to be found out again. */
const refreshWhenCalm = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const request = yield* openedOf(key)
  if (request === undefined) return
  const [{ turns }, repositories] = [yield* PushLocks, yield* Repositories]
  yield* turns.whenCalm(repositories.of(key.projectId), branchRef(request.attributes.targetBranch))
  yield* refresh(key)
})

const work = Effect.gen(function* () {
  const { outdated } = yield* MergeRequestQueries
  return yield* workThrough({
    due: outdated,
    // It is at the cost of whose it is, so that large forks of one user hold up no others.
    turnOf: ({ authorId, projectId }) => ({ caller: `user:${authorId}`, subject: String(projectId) }),
    perform: refreshWhenCalm,
    onFailure: Effect.fnUntraced(function* (key, _, cause) {
      yield* Effect.logWarning(`${mergeRequestStream(key)} could not be refreshed, which is tried again`, cause)
      yield* Effect.ignore(handle(mergeRequestAggregate, key, { _tag: "FailCheck", error: reason }))
    })
  })
})

/**
 * Finds out what nobody knows of merge requests whose branches moved, for ever: in one process at a time. One that cannot be refreshed keeps
 * no other one waiting, and is tried again, after a longer time each time.
 */
export const refreshOutdated = Effect.provideService(
  leadReactor("merge-request-refreshes", () => work),
  CurrentOrigin,
  systemOrigin("merge-requests")
)
