import { Effect } from "effect"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { react, shown } from "../../platform/reactions.ts"
import type { UserEvent } from "../../users/events.ts"
import { userIdOf } from "../../users/ids.ts"
import { Users } from "../../users/Users.ts"
import { dropJobsOf } from "./dropJobs.ts"

const shuttingOut = ["UserBlocked", "UserBanned", "UserDeactivated", "UserDeleted"] as const satisfies ReadonlyArray<
  UserEvent["_tag"]
>

/** A user may be let in again by the time. */
const onShutOut = Effect.fnUntraced(function* (userId: number) {
  const user = yield* Users.use((users) => users.find(userId))
  if (user?.state !== "active") yield* dropJobsOf(userId)
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  yield* shown(event)
  const userId = userIdOf(event.stream)
  if (userId !== undefined) yield* onShutOut(userId)
})

/** Fails jobs that run as users who were shut out or deleted: for ever, in one process at a time. */
export const keepUpPipelines = react({ name: "pipeline-upkeep", types: new Set(shuttingOut), onEvent })
