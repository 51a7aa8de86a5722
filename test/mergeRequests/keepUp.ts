import { Effect, type Layer } from "effect"
import { afterAll, beforeAll } from "vitest"
import type { core } from "#src/composition.ts"
import { keepUpMergeRequests } from "#src/mergeRequests/reactions/keepUp.ts"
import { refreshOutdated } from "#src/mergeRequests/reactions/refreshOutdated.ts"
import { fromHere } from "#src/platform/reactions/react.ts"
import type { Sql } from "#src/platform/sql/Sql.ts"
import type { TestService } from "#test/support/service.ts"

type Work = Effect.Effect<unknown, never, Layer.Success<ReturnType<typeof core>> | Sql>

/** Does what a service does of itself for merge requests, and more, as long as a test file runs. */
export const keepUp = ({ run }: TestService, ...more: ReadonlyArray<Work>): void => {
  let stop = () => {}
  let working: Promise<unknown> = Promise.resolve()
  beforeAll(() => {
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const work = Effect.all([keepUpMergeRequests, refreshOutdated, ...more], { concurrency: "unbounded", discard: true })
    const reacting = Effect.raceFirst(
      work,
      Effect.promise(() => stopped)
    )
    // It is begun when this is over, and reacts to all that comes after.
    return new Promise<void>((resolve) => {
      working = run(fromHere(Effect.andThen(Effect.sync(resolve), reacting)))
    })
  })
  afterAll(async () => {
    stop()
    await working
  })
}
