import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Objects } from "#src/git/objects/Objects.ts"
import { makeTreeLimits, TreeLimits } from "#src/git/trees/TreeLimits.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { standardRepository } from "#test/support/git/gitStandard.ts"

/** Makes a repository before the tests of a file; known from the first test on. */
const useMade = <F extends GitFixture>(make: (path: string) => F): (() => F) => {
  let folder = ""
  let fixture: F | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chronoforge-git-"))
    fixture = make(join(folder, "test.git"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return () => {
    if (fixture === undefined) throw new Error("Known from the first test on")
    return fixture
  }
}

export const useStandardRepository = () => useMade(standardRepository)
export const useEmptyRepository = () => useMade(emptyRepository)

const treeLimits = Layer.sync(TreeLimits, () => makeTreeLimits({ maxPaths: 5_000_000, maxDepth: 256 }))

/** Runs with processes of its own, which have ended afterwards. */
export const withObjects = <A, E>(effect: Effect.Effect<A, E, Objects | TreeLimits>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.merge(Objects.layer, treeLimits)))
