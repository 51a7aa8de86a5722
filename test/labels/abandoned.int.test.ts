import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { labelAggregate } from "#src/labels/aggregate.ts"
import { createLabel } from "#src/labels/writes.ts"
import { handle } from "#src/platform/Commands.ts"
import { Projections } from "#src/platform/Projections.ts"
import { answerOf } from "#test/support/service.ts"
import { settings } from "./samples.ts"
import { idOf, titleTaken, useLabels } from "./useLabels.ts"

const { service, add, newProject } = useLabels()

it("a title whose label was deleted without giving it back is free again after half a minute", async () => {
  const projectId = await newProject()
  const id = idOf(await add(`projects/${projectId}`))
  await service.run(
    Effect.gen(function* () {
      const { position } = yield* handle(labelAggregate, id, { _tag: "Delete" })
      yield* Projections.use((projections) => projections.awaitPosition(position))
    })
  )
  expect(answerOf(await add(`projects/${projectId}`))).toEqual(titleTaken)
  const later = Effect.gen(function* () {
    yield* TestClock.setTime(Date.now() + 30_000)
    return yield* createLabel({ kind: "project", id: projectId }, settings)
  }).pipe(Effect.provide(TestClock.layer()))
  expect((await service.run(later)).events).toHaveLength(1)
})
