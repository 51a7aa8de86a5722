import { Effect } from "effect"
import { isObjectId } from "../objectId.ts"

/** Dies unless all of them are full object ids: names that users sent must be resolved before `git` sees them. */
export const requireFullIds = (ids: ReadonlyArray<string>): Effect.Effect<void> => {
  const wrong = ids.find((id) => !isObjectId(id))
  return wrong === undefined ? Effect.void : Effect.die(new Error(`Not a full object id: ${JSON.stringify(wrong)}`))
}
