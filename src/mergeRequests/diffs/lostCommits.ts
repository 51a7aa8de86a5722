import { Effect } from "effect"
import { readCommit } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import { thingNotFound } from "../../http/answer/errors.ts"

/**
 * Reads what a version shows: 404 where git fails because one of these commits of it is lost, as it is in a repository that is older than
 * the database beside it.
 */
export const unlessLost = <A, E, R>(repository: Repository, shas: ReadonlyArray<string>, read: Effect.Effect<A, E, R>) =>
  Effect.catch(
    read,
    Effect.fnUntraced(function* (failure: E) {
      const commits = yield* Effect.orDie(Effect.forEach(shas, (sha) => readCommit(repository, sha)))
      return yield* commits.includes(undefined) ? Effect.fail(thingNotFound("Commit")) : Effect.die(failure)
    })
  )
