import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { userIdOf } from "../../users/ids.ts"
import { Users } from "../../users/Users.ts"
import { scheduleAggregate } from "../aggregate.ts"
import type { Command } from "../commands.ts"
import type { DeactivationReason } from "../events.ts"
import { scheduleIdOf } from "../ids.ts"
import { ScheduleQueries } from "../Queries.ts"

const reasonByEvent: Readonly<Record<string, DeactivationReason>> = {
  UserBlocked: "owner_blocked",
  UserBanned: "owner_banned",
  UserDeactivated: "owner_deactivated",
  UserDeleted: "owner_deleted"
}

/** Sends a command to schedules, of which some may be gone by now. */
const sendAll = (ids: ReadonlyArray<number>, command: Command) =>
  Effect.forEach(ids, (id) => Effect.catchTag(handle(scheduleAggregate, id, command), "ScheduleMissing", () => Effect.void), {
    discard: true
  }).pipe(Effect.orDie)

/** A user may be let in again by the time. */
const deactivateOf = Effect.fnUntraced(function* (ownerId: number, reason: DeactivationReason) {
  const owner = yield* Users.use((users) => users.find(ownerId))
  if (owner?.state === "active") return
  const ids = yield* ScheduleQueries.use((schedules) => schedules.activeOf(ownerId))
  yield* sendAll(ids, { _tag: "Deactivate", ownerId, reason })
})

const deleteOf = Effect.fnUntraced(function* (projectId: number) {
  const ids = yield* ScheduleQueries.use((schedules) => schedules.ofProject(projectId))
  yield* sendAll(ids, { _tag: "Delete" })
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const { stream, type } = event
  // Deleting a schedule does this too; here, when the process died in between.
  if (scheduleIdOf(stream) !== undefined) return yield* Secrets.use((secrets) => secrets.deleteKey(stream))
  yield* awaitVisible(event)
  const [userId, projectId, reason] = [userIdOf(stream), projectIdOf(stream), reasonByEvent[type]]
  if (userId !== undefined && reason !== undefined) yield* deactivateOf(userId, reason)
  if (projectId !== undefined) yield* deleteOf(projectId)
})

const types: ReadonlySet<string> = new Set(["ScheduleDeleted", "ProjectDeleted", ...Object.keys(reasonByEvent)])

/**
 * Deactivates the schedules of users who are shut out or deleted, deletes those of deleted projects, and the keys of deleted ones: for
 * ever, in one process at a time.
 */
export const keepUpSchedules = react({ name: "schedules", types, onEvent })
