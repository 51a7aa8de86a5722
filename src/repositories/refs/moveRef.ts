import { Effect } from "effect"
import { isBranchName, isMisleading } from "../../git/refs/refNames.ts"
import type { RefChange } from "../../git/refs/updateRefs.ts"
import { badRequest, type WireError } from "../../http/answer/errors.ts"
import { moveRefs } from "../../pushes/Pushes.ts"

/** Whether a new branch or tag may have this name: one that is read as something else would hide it. */
export const isNewName = (name: string): boolean => isBranchName(name) && !isMisleading(name)

/** In the words of the reference, for whoever lost a race. */
export const couldNotUpdate = (branch: string): WireError =>
  badRequest(`Could not update branch ${branch}. Please refresh and try again.`)

// Gap: the text is not shown.
const inTheWay = (ref: string): WireError => {
  const [, kind = "", name = ""] = /^refs\/(head|tag)s\/(.*)$/s.exec(ref) ?? []
  const what = kind === "tag" ? "tag" : "branch"
  return badRequest(`Failed to create ${what} '${name}': a ${what} above or below it exists`)
}

/** Moves a branch or tag, from where the caller saw it. `lost` is answered when it is elsewhere by now; null: it is not there. */
export const moveRef = (projectId: number, change: RefChange, lost: (at: string | null) => WireError) =>
  moveRefs(projectId, [change]).pipe(
    Effect.catchTags({
      RefMoved: ({ at }) => Effect.fail(lost(at)),
      RefNameTaken: () => Effect.fail(inTheWay(change.name)),
      GitFailed: Effect.die
    })
  )
