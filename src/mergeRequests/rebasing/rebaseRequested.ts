import { Effect } from "effect"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { workThrough } from "../../platform/reactions/workThrough.ts"
import { mergeRequestStream } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { giveUpRebase, performRebase } from "./perform.ts"

/** A rebase that fails so often for a defect of the service is given up, so that none is under way for ever. */
const maxTries = 4

const work = (externalUrl: string) =>
  Effect.gen(function* () {
    const { rebasing } = yield* MergeRequestQueries
    return yield* workThrough({
      due: rebasing,
      turnOf: ({ by, projectId }) => ({ caller: `user:${by}`, subject: String(projectId) }),
      perform: (it) => performRebase(it, externalUrl),
      onFailure: Effect.fnUntraced(function* (key, tries, cause) {
        yield* Effect.logWarning(`${mergeRequestStream(key)} could not be rebased`, cause)
        if (tries >= maxTries) yield* Effect.ignoreCause(giveUpRebase(key))
      })
    })
  })

/** Does the rebases that were asked for, and goes on with those that a process left undone, for ever: in one process at a time. */
export const rebaseRequested = (externalUrl: string) =>
  Effect.provideService(
    leadReactor("merge-request-rebases", () => work(externalUrl)),
    CurrentOrigin,
    systemOrigin("merge-requests")
  )
