import { Data, Effect } from "effect"
import { introducingCommit } from "../../git/history/introducingCommit.ts"
import { isAncestor, mergeBase } from "../../git/history/mergeBase.ts"
import { fetchHead } from "../../git/merge/fetchHead.ts"
import { headRef } from "../../git/merge/mergeRequestRefs.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { readRef } from "../../git/refs/refs.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { RecordedRefs } from "../../pushes/Pushes.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Command } from "../decisions/commands.ts"
import type { MergeRequest } from "../decisions/state.ts"
import type { Source } from "../events.ts"
import { areSame, type BothHeads, type Heads, hasBoth, headsNow } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { noteMerge, updateMergeRequest } from "../writes/change.ts"
import { arrivalOf } from "./arrival.ts"
import { check } from "./check.ts"
import { draftCommitOf } from "./draftCommitOf.ts"
import { deletionOf, pusherOf, wasReopenedAfter } from "./movers.ts"
import { versionOf } from "./version.ts"

const send = (key: MergeRequestKey, command: Command) => Effect.orDie(handle(mergeRequestAggregate, key, command))

/** The repository has no source branch, but nothing tells that it was deleted: it is damaged, or that is told in a moment. */
export class SourceUnclear extends Data.TaggedError("SourceUnclear")<{ readonly source: Source }> {
  override get message() {
    return `The repository of project ${this.source.projectId} has no branch ${this.source.branch}, which was not deleted`
  }
}

/** Whether the source branch, which is not there, was deleted; where its whole project is gone it was not. */
const isDeleted = Effect.fnUntraced(function* (source: Source) {
  const { branch, projectId } = source
  if (!(yield* Repositories.use((repositories) => repositories.exists(projectId)))) return false
  if (yield* RecordedRefs.use((refs) => refs.has(projectId, branchRef(branch)))) return yield* new SourceUnclear({ source })
  return true
})

/** Keeps the commits of the source in the repository of the target, also when its branch goes away. */
const keepHead = Effect.fnUntraced(
  function* ({ iid, projectId }: MergeRequestKey, source: Source, heads: BothHeads) {
    const repositories = yield* Repositories
    const repository = repositories.of(projectId)
    const from = (yield* readRef(repository, headRef(iid)))?.id ?? null
    const head = { iid, commit: heads.source, from, source: repositories.of(source.projectId), known: [heads.target] }
    yield* fetchHead(repository, head)
  },
  // Others find out the same at the same time.
  Effect.retry({ times: 3, while: ({ _tag }) => _tag === "RefMoved" })
)

/** Whether the last version is what is to be merged now: the target branch may have got more, but no commits of the version. */
export const isCurrent = Effect.fnUntraced(function* (
  repository: Repository,
  { attributes, version }: MergeRequest,
  heads: BothHeads
) {
  if (version?.headSha !== heads.source || version.targetBranch !== attributes.targetBranch) return false
  if (version.startSha === heads.target) return true
  const base = yield* mergeBase(repository, [heads.target, heads.source])
  return base === null || base === version.baseSha
})

/** Notes what is to be merged, where that is not what it was. */
const addVersion = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, heads: BothHeads) {
  const repository = (yield* Repositories).of(key.projectId)
  if (yield* isCurrent(repository, request, heads)) return
  yield* keepHead(key, request.source, heads)
  const { targetBranch } = request.attributes
  const found = yield* versionOf(repository, { targetBranch, headSha: heads.source, startSha: heads.target })
  const id = yield* nextId("merge_request_version")
  const arrival = yield* arrivalOf(repository, request, found.version)
  const draft = defined({ draftCommit: yield* draftCommitOf(repository, request, found.version) })
  yield* send(key, { _tag: "AddVersion", id, previous: request.version, ...found, ...arrival, ...draft })
})

/**
 * The commit by which the commits came into the target branch, when somebody pushed them there; undefined when they did not. Of a source branch
 * that is gone it is the last commit that is known of it.
 */
const introducedAs = Effect.fnUntraced(function* (key: MergeRequestKey, { version }: MergeRequest, { source, target }: Heads) {
  if (version === undefined || version.commits === 0 || target === undefined) return undefined
  const repository = (yield* Repositories).of(key.projectId)
  const commit = source ?? version.headSha
  // What a fork has got is not here before its version is.
  if ((yield* Objects.use(({ info }) => info(repository, commit))) === undefined) return undefined
  if (!(yield* isAncestor(repository, commit, target))) return undefined
  // A source branch that was only moved back to what the target has brought nothing in.
  if (!(yield* isAncestor(repository, version.headSha, target))) return undefined
  // It may lie too far back to be found.
  return (yield* introducingCommit(repository, { commit, tip: target })) ?? target
})

/** An open merge request; undefined for another one. */
export const openedOf = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  return state._tag === "Opened" ? state.request : undefined
})

/** Finds out what is so for these heads. */
const settle = Effect.fnUntraced(function* (key: MergeRequestKey, before: MergeRequest, heads: Heads) {
  const isGone = heads.source === undefined && (yield* isDeleted(before.source))
  const deletion = isGone ? yield* deletionOf(before.source) : undefined
  // What was brought in is merged, whether its branch was deleted with that or not.
  const mergeSha = yield* introducedAs(key, before, { ...heads, source: heads.source ?? deletion?.before ?? undefined })
  if (mergeSha !== undefined) {
    const by = (yield* pusherOf(key, before.attributes.targetBranch, mergeSha)) ?? before.authorId
    yield* noteMerge(key, { by, mergeSha, squashSha: null, ...defined({ targetSha: heads.target }) })
    return
  }
  // What nobody deleted was never there, as for a merge request that was imported without its branch: it cannot be merged, and stays open. So
  // does what somebody opened again without its branch.
  if (deletion !== undefined && !(yield* wasReopenedAfter(key, deletion.position))) {
    const by = deletion.by ?? before.authorId
    yield* Effect.orDie(updateMergeRequest(key, { by, changes: {}, transition: "close", goneBranch: before.source.branch }))
    return
  }
  if (hasBoth(heads)) yield* addVersion(key, before, heads)
  const request = yield* openedOf(key)
  if (request === undefined) return
  const isPrepared = yield* check(key, request, heads)
  if (!isPrepared) yield* send(key, { _tag: "FinishPreparation" })
})

/** A branch that moves more often meanwhile is looked at again later: then nobody knows of the merge request whether it can be merged. */
const maxRounds = 3

/**
 * Brings a merge request up to where its branches lead now: its version, whether it can be merged, whether it was. Repeating it changes
 * nothing. Where a branch moves meanwhile it looks again, so that what stays is known of the heads that were there at the end; a move after
 * that is told by its event.
 */
export const refresh = Effect.fnUntraced(
  function* (key: MergeRequestKey) {
    for (let round = 0; round < maxRounds; round++) {
      const request = yield* openedOf(key)
      if (request === undefined) return
      const heads = yield* headsNow(request, key)
      yield* settle(key, request, heads)
      if (areSame(yield* headsNow(request, key), heads)) return
    }
  },
  Effect.catchIf((error) => error._tag !== "SourceUnclear", Effect.die),
  outsideRun
)
