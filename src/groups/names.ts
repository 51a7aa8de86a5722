import { Effect, Equal } from "effect"
import { guardOf } from "../platform/Commands.ts"
import { type HeldNames, NameHolders } from "../platform/NameHolders.ts"
import { type Name, release, reserve } from "../platform/Reservations.ts"
import { GroupInvalid } from "./errors.ts"
import { pathIsTaken } from "./faults.ts"
import { groupPathName } from "./Groups.ts"
import { groupStream } from "./ids.ts"

/** The path that a group has. */
export const heldByGroup: HeldNames = (stream) => Effect.map(groupPathName(stream), (name) => (name === undefined ? [] : [name]))

/** Reserves a path for a group that does not have it yet. Answers what guards the command that gives it. */
export const reservePath = (name: Name, id: number) =>
  guardOf(
    NameHolders.use(({ holds }) => reserve(name, groupStream(id), holds(name))).pipe(
      Effect.mapError(() => new GroupInvalid({ faults: [pathIsTaken] }))
    )
  )

/** Gives a path back, unless the group has it by now. */
export const releasePath = (name: Name, id: number) =>
  release(
    name,
    groupStream(id),
    Effect.map(groupPathName(groupStream(id)), (held) => held !== undefined && Equal.equals(held, name))
  )
