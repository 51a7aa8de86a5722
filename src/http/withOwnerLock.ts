import { Effect } from "effect"
import { OwnerLock } from "../platform/OwnerLock.ts"
import { awaitHead } from "./awaitHead.ts"

/**
 * Runs a change that asks the read models first who else owns something or is administrator. They show all that others changed with
 * the lock, and nobody changes it meanwhile.
 */
export const withOwnerLock = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  OwnerLock.use((owners) => owners.withLock(Effect.andThen(awaitHead("owners cannot be counted"), change)))
