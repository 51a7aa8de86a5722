import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { Objects } from "#src/git/Objects.ts"
import { TreeListings } from "#src/repositories/TreeListings.ts"
import { useStandardRepository } from "#test/git/useRepository.ts"

const fixture = useStandardRepository()

const ask = (path: string, isRecursive = true, commit = fixture().ids.head) =>
  TreeListings.use((listings) => listings.of({ repository: fixture().repository, commit, path, isRecursive }))

const withEntries = <A, E>(entries: number, effect: Effect.Effect<A, E, TreeListings | Objects>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.merge(TreeListings.layerWith(entries), Objects.layer)))

it("answers the same list again", async () => {
  const [one, other, single, missing] = await withEntries(1000, Effect.all([ask(""), ask(""), ask("", false), ask("nowhere")]))
  expect(one).toBe(other)
  expect(single?.length).toBeLessThan(one?.length ?? 0)
  expect(missing).toBeUndefined()
})

it("tells commits and paths apart", async () => {
  const [head, first, src] = await withEntries(1000, Effect.all([ask(""), ask("", true, fixture().ids.first), ask("src")]))
  expect(new Set([head?.length, first?.length, src?.length]).size).toBe(3)
})

it("forgets what was not asked for longest", async () => {
  const [src, docs, srcAgain, data, docsAgain, srcLast] = await withEntries(
    14,
    Effect.all([ask("src"), ask("docs"), ask("src"), ask("data"), ask("docs"), ask("src")])
  )
  expect(srcAgain).toBe(src)
  expect(data).toHaveLength(6)
  expect([docsAgain === docs, docsAgain]).toEqual([false, docs])
  expect(srcLast).toEqual(src)
})

it("keeps no list that is too long", async () => {
  const [one, other] = await withEntries(3, Effect.all([ask(""), ask("")]))
  expect(one).not.toBe(other)
  expect(one).toEqual(other)
})
