import { Effect, Layer } from "effect"
import { OwnedGroups } from "../../users/OwnedGroups.ts"
import type { Refusal } from "../errors.ts"
import { removeTree } from "./removeTree.ts"

const remove = (id: number) =>
  removeTree(id).pipe(
    Effect.asVoid,
    Effect.catchIf(
      (refusal): refusal is Refusal => refusal._tag !== "WireError",
      // Nothing but that it is gone keeps a group from being deleted.
      (refusal) => (refusal._tag === "GroupMissing" ? Effect.void : Effect.die(refusal))
    )
  )

const removeAll = (ids: ReadonlyArray<number>) => Effect.forEach(ids, remove, { discard: true })

type Needed = Effect.Services<ReturnType<typeof removeAll>>

/** Answers what users ask of groups. */
export const layerOwnedGroups: Layer.Layer<OwnedGroups, never, Needed> = Layer.effect(
  OwnedGroups,
  Effect.map(Effect.context<Needed>(), (services) => ({
    remove: (ids: ReadonlyArray<number>) => Effect.provide(removeAll(ids), services)
  }))
)
