import { Effect } from "effect"
import { nextId } from "../../platform/Ids.ts"
import type { Grant } from "../events.ts"

/** A grant for each of these levels, with an id of its own. */
export const newGrants = Effect.fnUntraced(function* (levels: ReadonlyArray<number>) {
  return yield* Effect.forEach(levels, (accessLevel) =>
    Effect.map(nextId("protected_ref_access"), (id): Grant => ({ id, accessLevel }))
  )
})
