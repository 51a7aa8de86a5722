import { Effect, Layer } from "effect"
import { RepositoryTasks } from "#src/git/RepositoryTasks.ts"

const delay = { after: 0, latest: 0 }

/** Notes nothing, where it does not matter what is left to be done in repositories. */
export const noTasks = Layer.succeed(RepositoryTasks)({
  delays: { record: delay, maintain: delay, count: delay, remove: delay },
  schedule: () => Effect.void,
  scheduleRecord: (repository) => Effect.succeed({ repository, notes: 1 }),
  scheduleRemoval: (repository) => Effect.succeed({ repository, notes: 1 }),
  scheduleAll: () => Effect.void,
  find: () => Effect.undefined,
  next: () => Effect.succeed([]),
  all: () => Effect.succeed([]),
  complete: () => Effect.void,
  postpone: () => Effect.void,
  awaitScheduled: () => Effect.never
})
