import { Clock, Effect } from "effect"
import { CurrentOrigin, systemOrigin } from "#src/platform/Origin.ts"
import type { MissedPolicy } from "#src/schedules/slots/missed.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { fireDue } from "./fireDue.ts"
import { idOf, useSchedules } from "./useSchedules.ts"

/** Everything is at this time; what waits goes on in real time. */
export const atTime = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.clockWith(Effect.succeed), (live) =>
    Effect.provideService(effect, Clock.Clock, {
      ...live,
      sleep: (duration) => live.sleep(duration),
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
      currentTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n)
    })
  )

const configuration = "a:\n  script: make\n"

/** A running service whose schedules run at the times that a test says. */
export const useScheduler = (env: Readonly<Record<string, string>> = { SCHEDULES_PER_PROJECT: "0" }) => {
  const schedules = useSchedules(env)
  const { add, get, newProject, pathOf, service } = schedules
  const listOf = async (path: string): Promise<ReadonlyArray<unknown>> => {
    const { body } = await service.request("GET", path)
    return Array.isArray(body) ? body : []
  }
  return {
    ...schedules,
    /** A project with a configuration, and a schedule: their ids, and when it runs next. */
    scheduled: async (name: string, json: object = {}, files: Readonly<Record<string, string>> = {}) => {
      const projectId = await newProject(name, {}, { ".gitlab-ci.yml": configuration, ...files })
      const id = idOf(await add(projectId, { cron: "0 * * * *", ...json }))
      return { projectId, id, next: Date.parse(String(field((await get(projectId, id)).body, "next_run_at"))) }
    },
    /** Lets run what is due at this time. */
    fireAt: (millis: number, policy: MissedPolicy = "run_latest") =>
      service.run(
        Effect.gen(function* () {
          const firing = { policy, serverUrl: service.url }
          yield* fireDue(firing)
          yield* settled
        }).pipe((firing) => atTime(millis, firing), Effect.provideService(CurrentOrigin, systemOrigin("scheduler")))
      ),
    /** What became of the slots, the first one first: state, reason, time, and whether there is a pipeline. */
    runsOf: async (projectId: number, id: number) =>
      (await listOf(`${pathOf(projectId, id)}/runs?per_page=100`))
        .map((run) => [
          field(run, "state"),
          field(run, "reason"),
          Date.parse(String(field(run, "scheduled_at"))),
          field(run, "pipeline") !== null
        ])
        .toReversed(),
    pipelinesOf: (projectId: number, id: number) => listOf(`${pathOf(projectId, id)}/pipelines`)
  }
}
