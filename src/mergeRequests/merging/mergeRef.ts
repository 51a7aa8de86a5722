import { Clock, Context, Data, Effect } from "effect"
import { mergeRef } from "../../git/merge/mergeRef.ts"
import type { Authorship } from "../../git/merge/squash.ts"
import { Repositories } from "../../git/Repositories.ts"
import { load } from "../../platform/Commands.ts"
import { singleFlight } from "../../platform/work/singleFlight.ts"
import { signed } from "../../repositories/Code.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { MergeRequestKey } from "../ids.ts"
import { refresh } from "../reactions/refresh.ts"

/** Nobody in particular: the commit is on no branch. */
const byService = (message: string, seconds: number): Authorship => {
  const person = signed({ name: "Chronoforge", email: "noreply@localhost" }, seconds)
  return { author: person, committer: person, message }
}

/** Why there is no such commit. */
export class NoMergeRef extends Data.TaggedError("NoMergeRef")<{
  readonly reason: "Merge request is not mergeable" | "Merge ref cannot be updated"
}> {}

const notMergeable = new NoMergeRef({ reason: "Merge request is not mergeable" })

const find = Effect.fnUntraced(function* (key: MergeRequestKey) {
  yield* Effect.ignore(refresh(key))
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened") return yield* new NoMergeRef({ reason: "Merge ref cannot be updated" })
  const { mergeability } = state.request
  if (mergeability._tag !== "Checked" || mergeability.verdict !== "mergeable") return yield* notMergeable
  const { headSha: source, targetSha: target } = mergeability
  if (source === null || target === null) return yield* notMergeable
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const merge = byService(`Merge ${source} into ${target}`, seconds)
  const repository = (yield* Repositories).of(key.projectId)
  return yield* mergeRef(repository, { iid: key.iid, source, target, merge }).pipe(
    Effect.catchTags({
      MergeConflicts: () => Effect.fail(notMergeable),
      AlreadyMerged: () => Effect.fail(notMergeable),
      NothingInCommon: () => Effect.fail(notMergeable),
      RebaseNeeded: () => Effect.fail(notMergeable),
      TreesRefused: () => Effect.fail(notMergeable),
      RefMoved: Effect.die,
      RefNameTaken: Effect.die,
      GitFailed: Effect.die
    })
  )
})

/** Whoever asks for the same one at the same time gets the same answer, so that many readers start no more trial merges than one. */
const SharedMergeRefs = Context.Reference("chronoforge/mergeRequests/SharedMergeRefs", {
  defaultValue: () => singleFlight<string, NoMergeRef>()
})

/** The commit that a merge would make now, on a ref of its own; what is found out of the merge request is noted. */
export const mergeRefOf = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const shared = yield* SharedMergeRefs
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof find>>>()
  const { path } = (yield* Repositories).of(key.projectId)
  return yield* shared(`${path} ${key.iid}`, Effect.provideContext(find(key), services))
})
