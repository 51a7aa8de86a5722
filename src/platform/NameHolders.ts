import { Context, Effect, Equal, Layer } from "effect"
import type { EventStore } from "./eventStore/EventStore.ts"
import type { Name } from "./Reservations.ts"

/** The names that the thing of a stream has, as the log stands; none for a stream of anything else. */
export type HeldNames = (stream: string) => Effect.Effect<ReadonlyArray<Name>, never, EventStore>

/** The holders of names that several areas share: paths of users, groups and projects. Each area answers for its streams. */
export class NameHolders extends Context.Service<
  NameHolders,
  {
    /** Whether the thing of a stream, the owner of a reservation, has the name. */
    readonly holds: (name: Name) => (stream: string) => Effect.Effect<boolean, never, EventStore>
  }
>()("chronoforge/platform/NameHolders") {
  static readonly layer = (areas: ReadonlyArray<HeldNames>): Layer.Layer<NameHolders> =>
    Layer.succeed(NameHolders, {
      holds: (name) => (stream) =>
        Effect.map(
          Effect.forEach(areas, (heldNames) => heldNames(stream)),
          (held) => held.flat().some((one) => Equal.equals(one, name))
        )
    })
}
