import { Effect } from "effect"
import { logIds } from "../../git/history/log.ts"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { readCommits } from "../../git/objects/commit.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { badRequest, type WireError } from "../../http/answer/errors.ts"
import { makes } from "../../platform/repeats.ts"
import { judge, type PushPolicy } from "../../pushes/Pushes.ts"
import type { OpenRepository } from "../openRepository.ts"
import { couldNotUpdate, type MoveRef, moveRefFromTip } from "../refs/moveRef.ts"
import { branchCommit } from "../refs/requireRef.ts"
import { requirePush, type Start } from "./start.ts"

/** The input of a commit on a branch. */
export interface CommitInput<R, S> {
  readonly branch: string
  /** What `requirePush` gave. */
  readonly policy: PushPolicy
  /** Judges the request; asked again when the branch moved meanwhile. */
  readonly start: Effect.Effect<Start, WireError, R>
  /** Writes the commit on a parent, with this time in seconds since 1970, and answers its id: always the same one for the same. */
  readonly write: (parent: string | undefined, seconds: number) => Effect.Effect<string, WireError, S>
}

/** How many seconds later than the time of one commit others may be below it: those that waited for each other. */
const maxDisorder = 300
/** Commits of that time that are looked at. */
const maxCommits = 1_000

/** The commit of the branch that is just what the request makes on that one's parent, at this time. */
const madeAt = Effect.fnUntraced(function* <R, S>(
  { repository }: OpenRepository,
  { branch, write }: CommitInput<R, S>,
  seconds: number
) {
  const tip = yield* branchCommit(repository, branch)
  if (tip === undefined) return undefined
  const range = { from: [tip], since: seconds - maxDisorder, until: seconds, limit: maxCommits }
  const commits = yield* Effect.orDie(readCommits(repository, yield* Effect.orDie(logIds(repository, range))))
  for (const { id, parents } of commits.filter(({ committer }) => committer.seconds === seconds)) {
    const again = yield* write(parents[0], seconds).pipe(Effect.catchTag("WireError", () => Effect.undefined))
    if (again === id) return id
  }
  return undefined
})

/** Whether the branch may go there, which it may not always where its history is left. */
const requireMove = Effect.fnUntraced(function* (
  { repository }: OpenRepository,
  policy: PushPolicy,
  branch: string,
  start: Start
) {
  const { parent, tip } = start
  if (tip === null || parent === undefined || parent === tip) return
  const verdict = judge(policy, { ref: branchRef(branch), before: tip, after: parent })
  if (verdict._tag !== "AllowedForward") return
  if (!(yield* Effect.orDie(isAncestor(repository, tip, parent)))) return yield* badRequest(verdict.otherwise)
})

interface Attempt {
  readonly time: Effect.Effect<number>
  readonly move: MoveRef
  /** Whoever was faster may have made the branch, which may be protected since. */
  readonly isLate: boolean
}

const attempt = Effect.fnUntraced(function* <R, S>(
  open: OpenRepository,
  { branch, policy, start, write }: CommitInput<R, S>,
  { isLate, move, time }: Attempt
) {
  const allowed = isLate ? yield* requirePush(open, branch) : policy
  const started = yield* start
  yield* requireMove(open, allowed, branch, started)
  const id = yield* write(started.parent, yield* time)
  const moved = move({ name: branchRef(branch), from: started.tip, to: id })
  yield* started.isFromTip ? moved : Effect.catchTag(moved, "RefMoved", () => Effect.fail(couldNotUpdate(branch)))
  return id
})

/** Makes a commit on a branch and answers its id. One that goes on from the branch goes on from where others moved it meanwhile. */
export const makeCommit = <R, S>(open: OpenRepository, input: CommitInput<R, S>) =>
  makes(
    (time) => madeAt(open, input, time),
    (time) =>
      moveRefFromTip(open.project.id, branchRef(input.branch), {
        attempt: (move, isLate) => attempt(open, input, { time, move, isLate }),
        lost: () => couldNotUpdate(input.branch)
      })
  )
