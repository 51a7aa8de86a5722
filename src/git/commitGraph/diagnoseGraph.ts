import { dirname } from "node:path"
import { Effect } from "effect"
import { singleFlight } from "../../platform/work/singleFlight.ts"
import type { Repository } from "../Repository.ts"
import { asDamage, type CommitGraphDamaged, discardGraph, graphChain, versionOf } from "./commitGraphDamage.ts"
import { readCommitGraph } from "./readCommitGraph.ts"

/** The errors that git prints for a damaged commit-graph. Names and packets of callers may be in them too. */
const graphErrorPattern = /^fatal: (?:invalid parent position|.*commit-graph)/m

/** A graph of more bytes is not checked. */
const maxGraphBytes = 32 * 1024 * 1024

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

/** Failures at the same time share one check of a chain. */
const checkOnce = singleFlight<CommitGraphDamaged | undefined, never>()

/**
 * Checks the files of a commit-graph when the error of a failed git points to it. Answers the damage that it finds, and discards the
 * graph then.
 */
export const diagnoseGraph = Effect.fnUntraced(function* (repository: Repository, stderr: string) {
  if (!graphErrorPattern.test(stderr)) return
  const chain = graphChain(repository)
  const damage = yield* checkOnce(
    chain,
    Effect.promise(() => check(chain))
  )
  yield* discardGraph(repository, damage)
  return damage
}, Effect.uninterruptible)
