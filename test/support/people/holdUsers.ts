import { Effect } from "effect"
import { query, Sql, transaction } from "#src/platform/sql/Sql.ts"
import type { TestService } from "../service.ts"

type Mode = "exclusive" | "access exclusive"

const hold = async (service: TestService, table: string, mode: Mode = "exclusive"): Promise<() => Promise<void>> => {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = service.run(
    Sql.use(({ client }) =>
      transaction(client, (tx) =>
        Effect.gen(function* () {
          yield* query(() => tx`lock table ${tx(table)} in ${tx.unsafe(mode)} mode`)
          held.resolve()
          yield* Effect.promise(() => released.promise)
        })
      )
    )
  )
  await held.promise
  return async () => {
    released.resolve()
    await holding
  }
}

/**
 * Keeps changes of users from being projected until the answered function is called: requests that write them wait that long
 * for their own write to show. Reads go on.
 */
export const holdUsers = (service: TestService) => hold(service, "rm_users.users")

/** The same for projects. */
export const holdProjects = (service: TestService) => hold(service, "rm_projects.projects")

/** The same for jobs. */
export const holdJobs = (service: TestService) => hold(service, "rm_pipelines.jobs")

/** The same for pipeline schedules. */
export const holdSchedules = (service: TestService) => hold(service, "rm_schedules.schedules")

/** The same, and reads of projects wait, too. */
export const holdReadsOfProjects = (service: TestService) => hold(service, "rm_projects.projects", "access exclusive")
