import { join } from "node:path"
import { Effect } from "effect"
import { suspectGraph } from "../history/suspectGraph.ts"
import { alternates } from "../process/alternates.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { refsOf } from "../refs/pushedRefs.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import { judge, type RefUpdate } from "../refs/pushPolicy.ts"
import type { Push, PushGrant } from "./access.ts"
import { begin, type Exchange, finish } from "./exchange.ts"
import type { GitHttpLimits } from "./limits.ts"
import type { PushQuestion } from "./PushDialogue.ts"
import { contentType, type Receiving, receive } from "./receive.ts"
import { TooBusy } from "./Turnstile.ts"

const notRecorded = "moved, but the service could not record it; fetch to see where it is"
const notJudged = "the service could not check this push; try again"
/** In the words of git. */
const notAlone = "atomic push failure"
const failed = "The push could not be received."
const limited = {
  time: "The push was ended: it took too long.",
  space: "The push was ended: the service has too little space left on its disk."
} as const

/** Whether a commit is among the ancestors of another that may still be in quarantine. False for what is no commit. */
const isAncestor = (repository: Repository, quarantine: string, { after, before }: RefUpdate) => {
  const folder = join(repository.path, "objects", quarantine)
  const env = quarantine === "" ? {} : { GIT_OBJECT_DIRECTORY: folder, ...alternates([repository]) }
  return Effect.map(
    run(repository, ["merge-base", "--is-ancestor", before ?? "", after ?? ""], { env, statuses: [0, 1, 128] }),
    ({ status }) => status === 0
  )
}

/** Branches whose histories are compared at a time: each takes a process. */
const comparisons = 4

/** Texts by the refs that may not move. */
const refusalsOf = Effect.fnUntraced(function* <R>({ policy, repository }: PushGrant<R>, { quarantine, updates }: PushQuestion) {
  const refusals = new Map<string, string>()
  const rules = yield* policy
  const inDoubt = updates.flatMap((update) => {
    const judgement = judge(rules, update)
    if (judgement._tag === "Refused") refusals.set(update.ref, judgement.text)
    return judgement._tag === "Allowed" || judgement.otherwise === undefined ? [] : [[update, judgement.otherwise] as const]
  })
  const compare = ([update, otherwise]: readonly [RefUpdate, string]) =>
    Effect.map(isAncestor(repository, quarantine, update), (isForward) => {
      if (!isForward) refusals.set(update.ref, otherwise)
    })
  yield* Effect.forEach(inDoubt, compare, { concurrency: comparisons, discard: true })
  return refusals
})

/**
 * What the push moved. `git` moves a ref only from where the client saw it, so what it reports as done went from `before` to
 * `after`; but it removes a ref that names a missing object from wherever it is, so those are read beforehand. Without a report,
 * such as after a kill, the refs themselves tell: nobody else of this process moves them meanwhile.
 */
const movedBy = Effect.fnUntraced(function* (
  repository: Repository,
  { report }: Receiving,
  updates: ReadonlyArray<RefUpdate>
): Effect.fn.Return<ReadonlyArray<RefUpdate>, GitFailed> {
  if (report.isThere) {
    const moved = report.moved()
    return updates.filter(({ after, before, ref }) => after !== before && moved.has(ref))
  }
  const names = updates.map(({ ref }) => ref)
  const now = yield* refsOf(repository, names)
  return updates.filter(({ after, before, ref }) => after !== before && (now.get(ref) ?? null) === after)
})

/** The updates, with where the refs to be removed really are; without those of them that are nowhere. */
const withRealDeletions = Effect.fnUntraced(function* (repository: Repository, updates: ReadonlyArray<RefUpdate>) {
  const names = updates.flatMap(({ after, ref }) => (after === null ? [ref] : []))
  if (names.length === 0) return updates
  const now = yield* refsOf(repository, names)
  return updates.flatMap((update) => {
    if (update.after !== null) return [update]
    const before = now.get(update.ref)
    return before === undefined ? [] : [{ ...update, before }]
  })
})

/** What the client is told besides the report. */
interface Outcome {
  readonly refusals: ReadonlyMap<string, string>
  readonly lines: ReadonlyArray<string>
}

const refusing = (updates: ReadonlyArray<RefUpdate>, text: string) => new Map(updates.map(({ ref }) => [ref, text] as const))

/** Lets the refs move, waits until they have, and records it. Fails for as long as nothing was answered. */
const move = Effect.fnUntraced(function* <R>(
  { onRefsUpdated, onUnrecorded, repository }: PushGrant<R>,
  receiving: Receiving,
  { options, updates: allowed }: PushQuestion,
  limits: GitHttpLimits
) {
  const updates = yield* withRealDeletions(repository, allowed)
  receiving.answer(new Set(allowed.map(({ ref }) => ref)))
  yield* Effect.promise(() => receiving.end)
  const record = (moved: Push["updates"]) => Effect.timeout(onRefsUpdated({ updates: moved, options }), limits.recordLimit)
  return yield* movedBy(repository, receiving, updates).pipe(
    Effect.flatMap((moved) => (moved.length === 0 ? Effect.succeed([]) : record(moved))),
    Effect.map((lines): Outcome => ({ refusals: new Map(), lines })),
    Effect.catchCause((cause) => {
      const moved = receiving.report.moved()
      const unrecorded = updates.filter(({ ref }) => moved.has(ref))
      const outcome: Outcome = { refusals: refusing(unrecorded, notRecorded), lines: [] }
      return Effect.as(Effect.andThen(Effect.logError("A push was not recorded", cause), onUnrecorded), outcome)
    })
  )
})

/** From the question of the hooks to the record of what moved. */
const decide = Effect.fnUntraced(function* <R>(
  grant: PushGrant<R>,
  receiving: Receiving,
  question: PushQuestion,
  limits: GitHttpLimits
) {
  const refusals = yield* refusalsOf(grant, question)
  const updates = question.updates.filter(({ ref }) => !refusals.has(ref))
  const isTurnedAway = updates.length === 0 || (receiving.head.isAtomic && refusals.size > 0)
  if (isTurnedAway) {
    receiving.answer(new Set())
    return { refusals: new Map([...refusals, ...refusing(updates, notAlone)]), lines: [] } satisfies Outcome
  }
  const locks = yield* PushLocks
  const outcome = yield* locks.hold(grant.repository, move(grant, receiving, { ...question, updates }, limits))
  return { ...outcome, refusals: new Map([...refusals, ...outcome.refusals]) } satisfies Outcome
})

const nothing: Outcome = { refusals: new Map(), lines: [] }

/**
 * Receives a push: each ref by itself as the policy says (all or none when the client asks for that), recorded before the client is
 * told. What came for refused refs alone is thrown away with the push; a crash leaves each ref where it was or where it should go.
 * Between the moves and the record only a kill of this process leaves a difference that nobody was told of: see `refDifference`.
 */
export const push = Effect.fnUntraced(function* <R>(exchange: Exchange, grant: PushGrant<R>, limits: GitHttpLimits) {
  const receiving = receive(exchange, grant.repository, limits)
  const question = yield* Effect.promise(() => receiving.question)
  const decision = question === undefined ? Effect.succeed(nothing) : decide(grant, receiving, question, limits)
  const outcome = yield* Effect.catchCause(decision, (cause) => {
    receiving.stop()
    const refusals = refusing(question?.updates ?? [], notJudged)
    return Effect.as(Effect.logError("A push was not checked", cause), { refusals, lines: [] } satisfies Outcome)
  })
  const { exceeded, fault, ...end } = yield* Effect.promise(() => receiving.end)
  if (fault !== undefined && !exchange.response.headersSent) return yield* fault
  if (end.shortage !== undefined) return yield* new TooBusy()
  const isWhole = end.status === 0 && fault === undefined
  const failure = isWhole ? undefined : (fault?.text ?? (exceeded === undefined ? failed : limited[exceeded]))
  // What git says of it is that its input ended.
  const lines = exceeded === undefined ? outcome.lines : [...outcome.lines, limited[exceeded]]
  yield* suspectGraph(grant.repository, end.stderr)
  begin(exchange, contentType)
  finish(exchange, receiving.report.finish({ ...outcome, lines, failure, hasBands: receiving.head.hasBands }))
  return end
})
