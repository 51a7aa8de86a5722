import { text } from "node:stream/consumers"
import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeSharedCounts } from "#src/git/contributors/sharedCounts.ts"
import { SharedPacks } from "#src/git/http/fetches/SharedPacks.ts"
import { defaultWorkLimits } from "#src/kernel/workLimits.ts"
import { Company } from "#src/platform/work/Company.ts"
import { onBehalfOf } from "#src/platform/work/CurrentWork.ts"
import { FairQueue, type TooBusy } from "#src/platform/work/FairQueue.ts"
import { singleFlight } from "#src/platform/work/singleFlight.ts"
import { inPlace, makeWorkPlaces, placesFor, WorkPlaces } from "#src/platform/work/WorkPlaces.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const repository = { path: "shared" }
/** Of four places one caller has two. */
const places = () =>
  makeWorkPlaces(placesFor({ ...defaultWorkLimits, interactive: { ...defaultWorkLimits.interactive, places: 4 } }))

/** What shares work among those who ask for the same: an effect that asks. */
const sharers = {
  "one run for all": Effect.sync(() => {
    const shared = singleFlight<string, TooBusy>()
    return shared("key", inPlace("shared", Effect.succeed("done")))
  }),
  "a count of contributors": Effect.map(Effect.scope, (scope) => {
    const counts = makeSharedCounts<string, TooBusy>(scope)
    return counts.join(repository, "commit", () => inPlace("shared", Effect.succeed("done")))
  }),
  "a pack": Effect.sync(() => {
    const packs = new SharedPacks({ folder: folder(), maxBytes: 1024, spare: async () => 1024 })
    return packs
      .open("key", 4, (spool, onStart) =>
        inPlace(
          "shared",
          Effect.sync(() => {
            spool.sink().end("done")
            onStart()
            return { status: 0, stderr: "", shortage: undefined, exceeded: undefined }
          })
        )
      )
      .pipe(Effect.flatMap((pack) => Effect.promise(async () => pack && text(pack.content))))
  })
}

describe.each(Object.entries(sharers))("%s", (_, sharer) => {
  it("begins in the turn of whoever joins, where whoever asked first has no place left", async () => {
    const program = Effect.gen(function* () {
      const ask = yield* sharer
      const greedy = onBehalfOf("greedy")
      const held = yield* Effect.forEach(["a", "b"], (subject) =>
        Effect.forkChild(greedy(inPlace(subject, Effect.never)), { startImmediately: true })
      )
      const first = yield* Effect.forkChild(greedy(ask), { startImmediately: true })
      const { interactive } = yield* WorkPlaces
      yield* Effect.promise(() => expect.poll(() => [interactive.running, interactive.queued]).toEqual([2, 1]))
      const joined = yield* onBehalfOf("innocent")(ask)
      const both = [joined, yield* Fiber.join(first), interactive.running, interactive.queued, interactive.refused]
      yield* Effect.forEach(held, Fiber.interrupt)
      return [...both, interactive.running]
    }).pipe(Effect.scoped, Effect.provideService(WorkPlaces, places()))
    expect(await Effect.runPromise(program)).toEqual(["done", "done", 2, 0, 0, 0])
  })
})

describe("a company", () => {
  const waiting = Effect.fnUntraced(function* (queue: FairQueue, timeline: ReadonlyArray<string>) {
    const flight = singleFlight<string, TooBusy>()
    const limited = makeWorkPlaces(placesFor(defaultWorkLimits))
    const work = Effect.provideService(inPlace("shared", Effect.succeed("done")), WorkPlaces, { ...limited, interactive: queue })
    return yield* Effect.forEach(timeline, (caller) =>
      Effect.forkChild(Effect.result(onBehalfOf(caller)(flight("key", work))), { startImmediately: true })
    )
  })

  it("has all who wait for work that waits for other shared work", async () => {
    const [outer, inner] = [singleFlight<string, TooBusy>(), singleFlight<string, TooBusy>()]
    const queue = new FairQueue({ concurrency: 2, perCaller: 1, maxQueued: 10, timeoutMillis: 10_000 })
    const places = { ...makeWorkPlaces(placesFor(defaultWorkLimits)), interactive: queue }
    const work = outer("outer", inner("inner", inPlace("shared", Effect.succeed("done"))))
    const program = Effect.gen(function* () {
      const greedy = onBehalfOf("greedy")
      const held = yield* Effect.forkChild(greedy(inPlace("a", Effect.never)), { startImmediately: true })
      const first = yield* Effect.forkChild(greedy(work), { startImmediately: true })
      yield* Effect.promise(() => expect.poll(() => queue.queued).toBe(1))
      const joined = yield* onBehalfOf("innocent")(work)
      yield* Fiber.interrupt(held)
      return [joined, yield* Fiber.join(first)]
    }).pipe(Effect.provideService(WorkPlaces, places), Effect.timeout("5 seconds"))
    expect(await Effect.runPromise(program)).toEqual(["done", "done"])
  })

  it("is refused once none of them may wait, and then counts once", async () => {
    const program = Effect.gen(function* () {
      const queue = new FairQueue({ concurrency: 1, maxQueued: 10, timeoutMillis: 30 })
      const held = yield* Effect.forkChild(queue.run({ caller: "other" }, Effect.never), { startImmediately: true })
      const fibers = yield* waiting(queue, ["one", "two", "one"])
      const results = yield* Effect.forEach(fibers, Fiber.join)
      yield* Fiber.interrupt(held)
      return [results.map((result) => result._tag), queue.queued, queue.running, queue.refused]
    })
    expect(await Effect.runPromise(program)).toEqual([["Failure", "Failure", "Failure"], 0, 0, 1])
  })

  it("takes one place, also where several of them could have one at the same moment", async () => {
    const program = Effect.gen(function* () {
      const queue = new FairQueue({ concurrency: 2, maxQueued: 10, timeoutMillis: 10_000, isFreedNextTurn: true })
      const held = yield* Effect.forEach(["other", "another"], (caller) =>
        Effect.forkChild(queue.run({ caller }, Effect.never), { startImmediately: true })
      )
      const fibers = yield* waiting(queue, ["one", "two"])
      yield* Effect.promise(() => expect.poll(() => queue.queued).toBe(2))
      yield* Effect.forEach(held, Fiber.interrupt, { concurrency: 2 })
      const results = yield* Effect.forEach(fibers, Fiber.join)
      yield* Effect.promise(() => expect.poll(() => queue.running).toBe(0))
      return [results.map((result) => result._tag), queue.queued, queue.room({ caller: "one" })]
    })
    expect(await Effect.runPromise(program)).toEqual([["Success", "Success"], 0, 2])
  })

  it("takes no place for those who come when it does not wait any more", async () => {
    const queue = new FairQueue({ concurrency: 1, maxQueued: 10, timeoutMillis: 10_000 })
    const company = new Company()
    company.join("one")
    const program = Effect.gen(function* () {
      const held = yield* Effect.forkChild(queue.run({ caller: "other" }, Effect.never), { startImmediately: true })
      const gaveUp = yield* Effect.forkChild(queue.run({ caller: "one", company }, Effect.void), { startImmediately: true })
      yield* Fiber.interrupt(gaveUp)
      yield* Fiber.interrupt(held)
      company.join("two")
      return [queue.running, queue.queued]
    })
    expect(await Effect.runPromise(program)).toEqual([0, 0])
  })
})
