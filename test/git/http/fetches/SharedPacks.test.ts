import { text } from "node:stream/consumers"
import { Deferred, Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { type MakePack, SharedPacks } from "#src/git/http/fetches/SharedPacks.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

it("gives a pack that fails to all who asked before it did, and has it made anew for who asks later", async () => {
  const packs = new SharedPacks({ folder: folder(), maxBytes: 1024 * 1024, spare: async () => 1024 * 1024 })
  const program = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    let made = 0
    const make: MakePack = (spool, onStart) =>
      Effect.gen(function* () {
        made++
        yield* Deferred.await(gate)
        spool.sink().end("ERR")
        onStart()
        return { status: 128, stderr: "", shortage: undefined, exceeded: undefined }
      })
    const ask = Effect.gen(function* () {
      const pack = yield* packs.open("key", 3, make)
      return pack === undefined ? undefined : [yield* Effect.promise(() => text(pack.content)), (yield* pack.end).status]
    })
    const first = yield* Effect.forkChild(Effect.all([ask, ask, ask], { concurrency: 3 }))
    yield* Effect.promise(() => expect.poll(() => made).toBe(1))
    yield* Deferred.succeed(gate, undefined)
    return [yield* Fiber.join(first), made, yield* ask, made]
  })
  expect(await Effect.runPromise(program)).toEqual([Array(3).fill(["ERR", 128]), 1, ["ERR", 128], 2])
})
