import { Effect } from "effect"
import { alreadyCreated, alreadyHandled } from "../../platform/Commands.ts"
import { CurrentOrigin } from "../../platform/Origin.ts"
import type { Ability } from "../abilities.ts"
import { projectAggregate } from "../aggregate.ts"
import { NamespaceMissing } from "../errors.ts"
import { requireProject } from "../Projects.ts"
import { presentIn } from "../state.ts"

/** `requireProject` for a write that takes the path away: its repeat finds the project all the same. */
export const requireKept = Effect.fnUntraced(function* (input: Parameters<typeof requireProject>[0], ability: Ability) {
  const { keepId, keptId } = yield* CurrentOrigin
  const kept = keptId?.()
  const found = yield* requireProject(kept === undefined ? input : { ...input, parameters: { id: String(kept) } }, ability)
  if (keepId !== undefined) yield* keepId(Effect.succeed(found.project.id))
  return found
})

/** What an earlier run of the request did to the project, which may take from the caller the right to do it; with its id. */
export const handledEarlier = Effect.gen(function* () {
  const id = (yield* CurrentOrigin).keptId?.()
  if (id === undefined) return undefined
  const handled = yield* alreadyHandled(projectAggregate, id)
  return handled === undefined ? undefined : { ...handled, id }
})

/**
 * What an earlier run of the request created. Fails with `NamespaceMissing` when that was deleted again, as it is when its namespace
 * goes while it is made.
 */
export const createdEarlier = Effect.gen(function* () {
  const earlier = yield* alreadyCreated(projectAggregate)
  if (earlier !== undefined && presentIn(earlier.state) === undefined) return yield* new NamespaceMissing()
  return earlier
})
