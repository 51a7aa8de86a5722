import { Effect, Result } from "effect"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { userCodec } from "../users/events.ts"
import { userStream } from "../users/ids.ts"

/** Whether the log says that the user is deleted, which is the last event of a user. */
export const isDeleted = (userId: number): Effect.Effect<boolean, never, EventStore> =>
  Effect.map(
    EventStore.use((store) => store.read(userStream(userId), { direction: "backwards", limit: 1 })),
    ([last]) => last !== undefined && Result.getOrUndefined(userCodec.decode(last))?._tag === "UserDeleted"
  )
