import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { awaitReadModels } from "#src/http/awaitReadModels.ts"
import { postStatus, reserveExternal } from "#src/pipelines/writes.ts"
import { field } from "#test/support/exactly.ts"
import { useJobs } from "../useJobs.ts"

const { configured, service } = useJobs()

/** As if it had been done so long ago that another one may take over what was reserved. */
const longAgo = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TestClock.setTime(Date.now() - 31_000).pipe(Effect.andThen(effect), Effect.provide(TestClock.layer()))

it("a status whose pipeline lost its name before it was made is one of the pipeline that got it", async () => {
  const projectId = Number(await configured("lost", "a:\n  script: make\n"))
  const head = (await service.request("GET", `/projects/${projectId}/repository/commits/main`)).body
  const external = { projectId, sha: String(field(head, "id")), ref: "outside", isTag: false, createdBy: 1 }
  const status = { ref: "outside", postedBy: 1, status: "running", details: {} } as const
  const [first, other] = await service.run(
    Effect.gen(function* () {
      const first = yield* longAgo(reserveExternal(external))
      const other = yield* reserveExternal(external)
      yield* postStatus(first, { ...status, name: "one" }, external)
      yield* awaitReadModels(yield* postStatus(other, { ...status, name: "two" }, external))
      return [first, other]
    }).pipe(Effect.orDie)
  )
  expect(other).not.toBe(first)
  const path = `/projects/${projectId}/repository/commits/${external.sha}/statuses`
  const { body } = await service.request("GET", path, { query: { ref: "outside" } })
  expect([body].flat().map((one) => [field(one, "name"), field(one, "pipeline_id")])).toEqual([
    ["one", other],
    ["two", other]
  ])
})
