import { Effect } from "effect"
import { type Contributors, type CountingOptions, makeContributors } from "#src/git/contributors/Contributors.ts"
import type { ContributorCache } from "#src/git/contributors/cache.ts"

/** Runs an effect with contributors that end with it. */
export const withContributors = <A, E>(
  cache: ContributorCache,
  use: (contributors: Contributors["Service"]) => Effect.Effect<A, E>,
  options?: CountingOptions
) => Effect.scoped(Effect.flatMap(makeContributors(cache, options), use))
