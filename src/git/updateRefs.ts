import { Data, Effect } from "effect"
import type { Objects } from "./Objects.ts"
import { zeroId } from "./objectId.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { isRefName } from "./refNames.ts"
import { readRef } from "./refs.ts"
import { run } from "./run.ts"

/** A ref that shall move. Ids are full; null: there is no such ref. */
export interface RefChange {
  /** Full name that passed `isRefName`, such as `refs/heads/main`. */
  readonly name: string
  readonly from: string | null
  readonly to: string | null
}

/** A ref was not where the change begins: somebody else moved, made or removed it. Nothing changed. */
export class RefMoved extends Data.TaggedError("RefMoved")<{
  readonly name: string
  /** Where it is; null: there is none. */
  readonly at: string | null
}> {}

/** The name cannot be made, as there is a ref below it or it is below one: `a` and `a/b` cannot both be. Nothing changed. */
export class RefNameTaken extends Data.TaggedError("RefNameTaken")<{ readonly name: string }> {}

/**
 * Moves refs, all or none, each only from where the caller saw it. Fails with `RefMoved` when it lost a race, with `RefNameTaken`
 * when names exclude each other. No changes: nothing happens.
 */
export const updateRefs = Effect.fn("git.updateRefs")(function* (
  repository: Repository,
  changes: ReadonlyArray<RefChange>
): Effect.fn.Return<void, RefMoved | RefNameTaken | GitFailed, Objects> {
  if (changes.length === 0) return
  const bad = changes.find(({ name }) => !isRefName(name))
  if (bad !== undefined) return yield* Effect.die(new Error(`Not the full name of a ref: ${JSON.stringify(bad.name)}`))
  yield* run(repository, ["-c", "core.filesRefLockTimeout=2000", "update-ref", "--stdin", "-z"], {
    input: changes.map(instruction).join("")
  }).pipe(Effect.catchTag("GitFailed", (failure) => explain(repository, changes, failure)))
})

const instruction = ({ from, name, to }: RefChange): string => {
  if (to === null) return from === null ? `verify ${name}\0${zeroId}\0` : `delete ${name}\0${from}\0`
  return `update ${name}\0${to}\0${from ?? zeroId}\0`
}

/** Its words are not asked for races: where the refs are tells more. */
const explain = Effect.fnUntraced(function* (repository: Repository, changes: ReadonlyArray<RefChange>, failure: GitFailed) {
  for (const { from, name } of changes) {
    const at = (yield* readRef(repository, name))?.id ?? null
    if (at !== from) return yield* new RefMoved({ name, at })
  }
  const [, taken] = /exists; cannot create '([^']+)'/.exec(failure.stderr) ?? []
  const [, both] = /cannot process '[^']+' and '([^']+)' at the same time/.exec(failure.stderr) ?? []
  const name = taken ?? both
  return yield* name === undefined ? failure : new RefNameTaken({ name })
})
