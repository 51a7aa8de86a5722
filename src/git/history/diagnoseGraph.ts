import { dirname } from "node:path"
import { Effect } from "effect"
import type { Repository } from "../Repository.ts"
import { asDamage, type CommitGraphDamaged, discardGraph, graphChain, versionOf } from "./commitGraphDamage.ts"
import { readCommitGraph } from "./readCommitGraph.ts"

/** What git may say of a damaged commit-graph. Names and packets of callers are in its words too. */
const graphErrorPattern = /^fatal: (?:invalid parent position|.*commit-graph)/m

/** Bytes of a graph that is looked at; a larger one is left as it is. */
const maxGraphBytes = 32 * 1024 * 1024

/** By path: many failures at a time are one reason to look. */
const checks = new Map<string, Promise<CommitGraphDamaged | undefined>>()

const check = async (chain: string): Promise<CommitGraphDamaged | undefined> => {
  const version = await versionOf(chain)
  if (version === undefined) return
  try {
    await readCommitGraph(dirname(chain), maxGraphBytes)
  } catch (error) {
    // Of a chain that was replaced meanwhile nothing is known.
    return (await versionOf(chain)) === version ? asDamage(error) : undefined
  }
  return
}

const checkOnce = (chain: string): Promise<CommitGraphDamaged | undefined> => {
  const running = checks.get(chain) ?? check(chain).finally(() => checks.delete(chain))
  checks.set(chain, running)
  return running
}

/**
 * Looks at the files of a commit-graph where the words of a git that failed give reason to; answers the damage that is found there,
 * which is taken away.
 */
export const diagnoseGraph = Effect.fnUntraced(function* (repository: Repository, stderr: string) {
  if (!graphErrorPattern.test(stderr)) return
  const damage = yield* Effect.promise(() => checkOnce(graphChain(repository)))
  yield* discardGraph(repository, damage)
  return damage
}, Effect.uninterruptible)
