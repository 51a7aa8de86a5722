import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import type { Caller } from "#src/http/access/Caller.ts"
import type { WireError } from "#src/http/answer/errors.ts"
import { DownloadLimits } from "#src/repositories/DownloadLimits.ts"
import { userRow } from "#test/users/rows.ts"

const caller = (id: number): Caller => ({ user: { ...userRow, id }, tokenId: 1, scopes: ["api"] })

/** The statuses of what is asked for again and again: 200, or 429 with milliseconds to wait. */
const statuses = (times: number, ask: (limits: DownloadLimits["Service"]) => Effect.Effect<void, WireError>) =>
  Effect.forEach(Array.from({ length: times }), () =>
    DownloadLimits.use(ask).pipe(
      Effect.map(() => 200),
      Effect.catch(({ headers, status }) => Effect.succeed(Number(headers?.["retry-after"]) * 1000 + status))
    )
  )

const archives = (times: number, by: Caller | undefined, projectId = 1) =>
  statuses(times, (limits) => limits.archive(by, projectId))

const withLimit = <A>(limit: number, effect: Effect.Effect<A, never, DownloadLimits>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.merge(DownloadLimits.layerWith(limit, 0), TestClock.layer())))

it("counts by user and project, and begins again each minute", async () => {
  const counted = Effect.gen(function* () {
    yield* TestClock.setTime(120_000)
    const first = yield* archives(3, caller(1))
    const otherProject = yield* archives(2, caller(1), 2)
    const otherUser = yield* archives(2, caller(2))
    yield* TestClock.adjust("59 seconds")
    const late = yield* archives(1, caller(1))
    yield* TestClock.adjust("1 second")
    return { first, otherProject, otherUser, late, next: yield* archives(2, caller(1)) }
  })
  expect(await withLimit(2, counted)).toEqual({
    first: [200, 200, 60_429],
    otherProject: [200, 200],
    otherUser: [200, 200],
    late: [1429],
    next: [200, 200]
  })
})

it("gives all without a token twenty times that", async () => {
  const all = await withLimit(1, archives(21, undefined))
  expect(all.map((status) => status === 200)).toEqual([...Array.from({ length: 20 }, () => true), false])
})

it("is off at 0", async () => {
  expect(await withLimit(0, archives(100, undefined))).toEqual(Array.from({ length: 100 }, () => 200))
})

it("allows five large blobs of a project, whoever asks and whatever the settings", async () => {
  const blobs = (times: number, projectId: number) => statuses(times, (limits) => limits.largeBlob(projectId))
  const counted = Effect.gen(function* () {
    yield* TestClock.setTime(90_000)
    return [yield* blobs(6, 1), yield* blobs(5, 2), yield* archives(1, undefined)]
  })
  expect(await withLimit(0, counted)).toEqual([[200, 200, 200, 200, 200, 30_429], [200, 200, 200, 200, 200], [200]])
})
