import { Effect, Equal } from "effect"
import { load } from "../platform/Commands.ts"
import { type HeldNames, NameHolders } from "../platform/NameHolders.ts"
import { type Name, release, reserve } from "../platform/Reservations.ts"
import { groupAggregate } from "./aggregate.ts"
import { GroupInvalid } from "./errors.ts"
import { pathIsTaken } from "./faults.ts"
import { groupPathName, pathName } from "./Groups.ts"
import { groupStream } from "./ids.ts"

/** The path that a group has. */
export const heldByGroup: HeldNames = (stream) => Effect.map(groupPathName(stream), (name) => (name === undefined ? [] : [name]))

/** Reserves a path for a group that does not have it yet. */
export const reservePath = Effect.fnUntraced(function* (name: Name, id: number) {
  const { holds } = yield* NameHolders
  yield* reserve(name, groupStream(id), holds(name)).pipe(Effect.mapError(() => new GroupInvalid({ faults: [pathIsTaken] })))
})

/** Gives a path back, unless the group has it by now. */
export const releasePath = Effect.fnUntraced(function* (name: Name, id: number) {
  const { state } = yield* load(groupAggregate, id)
  const held = state._tag === "Present" ? pathName(state.group.parentId, state.group.path) : undefined
  if (held === undefined || !Equal.equals(held, name)) yield* release(name, groupStream(id))
})
