import { dirname } from "node:path"
import { Effect } from "effect"
import type { Repository } from "../Repository.ts"
import { asDamage, type CommitGraphDamaged, discardGraph, graphChain, versionOf } from "./commitGraphDamage.ts"
import { readCommitGraph } from "./readCommitGraph.ts"

/** The errors that git prints for a damaged commit-graph. Names and packets of callers may be in them too. */
const graphErrorPattern = /^fatal: (?:invalid parent position|.*commit-graph)/m

/** A graph of more bytes is not checked. */
const maxGraphBytes = 32 * 1024 * 1024

/** The running checks by path, because concurrent failures share one check. */
const checks = new Map<string, Promise<CommitGraphDamaged | undefined>>()

const check = async (chain: string): Promise<CommitGraphDamaged | undefined> => {
  const version = await versionOf(chain)
  if (version === undefined) return
  try {
    await readCommitGraph(dirname(chain), maxGraphBytes)
  } catch (error) {
    // Nothing is known of a chain that was replaced meanwhile.
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
 * Checks the files of a commit-graph when the error of a failed git points to it. Answers the damage that it finds, and discards the
 * graph then.
 */
export const diagnoseGraph = Effect.fnUntraced(function* (repository: Repository, stderr: string) {
  if (!graphErrorPattern.test(stderr)) return
  const damage = yield* Effect.promise(() => checkOnce(graphChain(repository)))
  yield* discardGraph(repository, damage)
  return damage
}, Effect.uninterruptible)
