import { Effect } from "effect"
import { alreadyHandled } from "../platform/Commands.ts"
import { CurrentOrigin } from "../platform/Origin.ts"
import { groupAggregate } from "./aggregate.ts"
import { type GroupInput, requireGroup } from "./requireGroup.ts"

/**
 * The group that a request of an owner is about; only its id when an earlier run of the request, which was interrupted, has
 * changed it already: it may be gone by now, or have another path.
 */
export const keptGroup = Effect.fnUntraced(function* (input: GroupInput) {
  const { keepId, keptId } = yield* CurrentOrigin
  const kept = keptId?.()
  const earlier = kept === undefined ? undefined : yield* alreadyHandled(groupAggregate, kept)
  if (kept !== undefined && earlier !== undefined) return { id: kept, earlier }
  const { namespace } = yield* requireGroup(input, "administer")
  if (keepId !== undefined) yield* keepId(Effect.succeed(namespace.id))
  return { id: namespace.id, namespace }
})
