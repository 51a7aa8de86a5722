import { type Effect, Layer, ManagedRuntime } from "effect"
import { afterAll } from "vitest"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { makeTreeLimits, TreeLimits } from "#src/git/trees/TreeLimits.ts"

type Services = CommitGraphs | Objects | PushLocks | TreeLimits

/** Runs effects of one test file with what they need; trees may have this many paths, which is low enough to come to it. */
export const useMerges = (maxPaths = 10_000): (<A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>) => {
  const limits = Layer.sync(TreeLimits, () => makeTreeLimits({ maxPaths, maxDepth: 64 }))
  const runtime = ManagedRuntime.make(Layer.mergeAll(Objects.layer, CommitGraphs.layer, PushLocks.layer, limits))
  afterAll(() => runtime.dispose())
  return (effect) => runtime.runPromise(effect)
}
