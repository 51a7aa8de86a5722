import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { refDifference, refsOf } from "../git/refs/pushedRefs.ts"
import { appendRefs } from "./appendRefs.ts"
import { loggedRefs } from "./loggedRefs.ts"

/**
 * Records what differs between the repository of a project and the log, as if it had been pushed, to be called while the refs are held.
 * Answers how many refs, and where the log stands then; 0 for nothing. An append that was given up may come about later: hence the
 * revision.
 */
export const recordDifference = Effect.fnUntraced(function* (projectId: number) {
  const { refs, revision } = yield* loggedRefs(projectId)
  const updates = refDifference(refs, yield* refsOf((yield* Repositories).of(projectId)))
  const position = updates.length === 0 ? 0 : yield* appendRefs(projectId, { updates, options: [] }, revision)
  return { moved: updates.length, position }
})
