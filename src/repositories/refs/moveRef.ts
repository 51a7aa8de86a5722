import { Effect } from "effect"
import type { RefChange } from "../../git/refs/RefChange.ts"
import { isBranchName, isMisleading } from "../../git/refs/refNames.ts"
import { RefMoved } from "../../git/refs/updateRefs.ts"
import { badRequest, type WireError } from "../../http/answer/errors.ts"
import { type Move, moveFromTip, moveRefs } from "../../pushes/Pushes.ts"

/** Whether a new branch or tag may have this name: one that is read as something else would hide it. */
export const isNewName = (name: string): boolean => isBranchName(name) && !isMisleading(name)

/** The error of the reference for a caller who lost a race. */
export const couldNotUpdate = (branch: string): WireError =>
  badRequest(`Could not update branch ${branch}. Please refresh and try again.`)

// Gap: the text is not shown.
const inTheWay = (ref: string): WireError => {
  const [, kind = "", name = ""] = /^refs\/(head|tag)s\/(.*)$/s.exec(ref) ?? []
  const what = kind === "tag" ? "tag" : "branch"
  return badRequest(`Failed to create ${what} '${name}': a ${what} above or below it exists`)
}

const moveOne = (move: Move, change: RefChange) =>
  move([change]).pipe(Effect.catchTags({ RefNameTaken: () => Effect.fail(inTheWay(change.name)), GitFailed: Effect.die }))

/** Moves one branch or tag. */
export type MoveRef = (change: RefChange) => ReturnType<typeof moveOne>

/** The answer when the branch or tag is elsewhere by now; null: it is not there. */
type Lost = (at: string | null) => WireError

/** Moves a branch or tag, from where the caller saw it. */
export const moveRef = (projectId: number, change: RefChange, lost: Lost) =>
  moveOne((changes) => moveRefs(projectId, changes), change).pipe(Effect.catchTag("RefMoved", ({ at }) => Effect.fail(lost(at))))

/**
 * Runs an attempt that looks where a branch or tag is and moves it from there; a second one when somebody else moved it meanwhile.
 * `isLate`: what may have changed since is to be judged again.
 */
export const moveRefFromTip = <A, E, R>(
  projectId: number,
  ref: string,
  {
    attempt,
    lost
  }: { readonly attempt: (move: MoveRef, isLate: boolean) => Effect.Effect<A, E | RefMoved, R>; readonly lost: Lost }
) =>
  moveFromTip(projectId, { ref }, (move, isLate) => attempt((change) => moveOne(move, change), isLate)).pipe(
    Effect.catchIf(
      (error): error is RefMoved => error instanceof RefMoved,
      ({ at }) => Effect.fail(lost(at))
    )
  )
