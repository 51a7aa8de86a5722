import { Effect, Fiber, Layer } from "effect"
import { expect, it } from "vitest"
import { Objects } from "#src/git/objects/Objects.ts"
import { TreeListings } from "#src/repositories/trees/TreeListings.ts"
import { useStandardRepository } from "#test/git/useRepository.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"

const fixture = useStandardRepository()
const processes = useProcesses()

const ask = (path: string, isRecursive = true, commit = fixture().ids.head) =>
  TreeListings.use((listings) => listings.of({ repository: fixture().repository, commit, path, isRecursive }))

const withBytes = <A, E>(bytes: number, effect: Effect.Effect<A, E, TreeListings | Objects>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.merge(TreeListings.layerWith(bytes), Objects.layer)))

it("answers the same list again", async () => {
  const [one, other, single, missing] = await withBytes(100_000, Effect.all([ask(""), ask(""), ask("", false), ask("nowhere")]))
  expect(one).toBe(other)
  expect(single?.length).toBeLessThan(one?.length ?? 0)
  expect(missing).toBeUndefined()
})

it("tells commits and paths apart", async () => {
  const [head, first, src] = await withBytes(100_000, Effect.all([ask(""), ask("", true, fixture().ids.first), ask("src")]))
  expect(new Set([head?.length, first?.length, src?.length]).size).toBe(3)
})

it("forgets what was not asked for longest", async () => {
  // About 1500, 700 and 2100.
  const [src, docs, srcAgain, data, docsAgain, srcLast] = await withBytes(
    3000,
    Effect.all([ask("src"), ask("docs"), ask("src"), ask("data"), ask("docs"), ask("src")])
  )
  expect(srcAgain).toBe(src)
  expect(data).toHaveLength(6)
  expect([docsAgain === docs, docsAgain]).toEqual([false, docs])
  expect(srcLast).toEqual(src)
})

it("keeps no list that is too long", async () => {
  const [one, other] = await withBytes(600, Effect.all([ask(""), ask("")]))
  expect(one).not.toBe(other)
  expect(one).toEqual(other)
})

it("lists once for all who ask at the same time", async () => {
  const many = Effect.all(
    Array.from({ length: 20 }, () => ask("")),
    { concurrency: "unbounded" }
  )
  processes.forget()
  const [one, ...others] = await withBytes(1, many)
  expect([others.every((other) => other === one), processes.started("ls-tree")]).toEqual([true, 1])
})

it("lets those wait on who are left when one goes away", async () => {
  const one = Effect.gen(function* () {
    const leaving = yield* Effect.forkChild(ask(""))
    const staying = yield* Effect.forkChild(ask(""))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(leaving)
    return yield* Fiber.join(staying)
  })
  expect((await withBytes(1, one))?.length).toBeGreaterThan(10)
})
