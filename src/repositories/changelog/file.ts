import { Effect } from "effect"
import { Objects } from "../../git/objects/Objects.ts"
import { entryAt } from "../../git/objects/tree.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"

/**
 * A file of a commit, or a symbolic link, whose content is its target; undefined where there is none. Fails with `orTooLarge` when it
 * has more than `limit` bytes. A failure of git is a defect.
 */
export const fileAt = Effect.fnUntraced(function* <E>(
  repository: Repository,
  place: { readonly commit: string; readonly path: string },
  bound: { readonly limit: number; readonly orTooLarge: () => E }
) {
  const entry = yield* Effect.orDie(entryAt(repository, place.commit, place.path))
  if (entry?.type !== "blob") return undefined
  const objects = yield* Objects
  const failed = (failure: GitFailed) => (failure.exceeded === "output" ? Effect.fail(bound.orTooLarge()) : Effect.die(failure))
  const blob = yield* Effect.catchTag(objects.read(repository, entry.id, bound.limit), "GitFailed", failed)
  return blob && { content: blob.content, isLink: entry.mode === "120000" }
})
