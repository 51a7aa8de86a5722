import { Data, Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { zeroId } from "../objectId.ts"
import type { Objects } from "../objects/Objects.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { moveOnDisk } from "./moveOnDisk.ts"
import type { RefChange } from "./RefChange.ts"
import { isRefName } from "./refNames.ts"
import { readRef } from "./refs.ts"
import { removeStaleLocks } from "./staleLocks.ts"

/** A ref was not where the change begins: somebody else moved, made or removed it. */
export class RefMoved extends Data.TaggedError("RefMoved")<{
  readonly name: string
  /** The id that the ref has; null when there is no such ref. */
  readonly at: string | null
}> {}

/** The name cannot be made, as there is a ref below it or it is below one: `a` and `a/b` cannot both be. Nothing changed. */
export class RefNameTaken extends Data.TaggedError("RefNameTaken")<{ readonly name: string }> {}

/**
 * Moves refs, all or none, each only from where the caller saw it. Fails with `RefMoved` when it lost a race, with `RefNameTaken`
 * when names exclude each other, and with `GitFailed`, some perhaps moved, when git was ended meanwhile. No changes: nothing happens.
 */
export const updateRefs = Effect.fnUntraced(function* (
  repository: Repository,
  changes: ReadonlyArray<RefChange>
): Effect.fn.Return<void, RefMoved | RefNameTaken | GitFailed, Objects> {
  if (changes.length === 0) return
  const bad = changes.find(({ name }) => !isRefName(name))
  if (bad !== undefined) return yield* Effect.die(new Error(`Not the full name of a ref: ${JSON.stringify(bad.name)}`))
  const names = changes.map(({ name }) => name)
  yield* removeStaleLocks(repository, names)
  if (yield* moveOnDisk(repository, changes)) return
  yield* run(repository, ["-c", "core.filesRefLockTimeout=2000", "update-ref", "--stdin", "-z"], {
    input: changes.map(instruction).join("")
  }).pipe(Effect.catchTag("GitFailed", (failure) => explain(repository, changes, failure)))
}, spanned("git.updateRefs"))

const instruction = ({ from, name, to }: RefChange): string => {
  if (to === null) return from === null ? `verify ${name}\0${zeroId}\0` : `delete ${name}\0${from}\0`
  return `update ${name}\0${to}\0${from ?? zeroId}\0`
}

/** Explains a failure by where the refs are, because the text of git tells less about races. */
const explain = Effect.fnUntraced(function* (repository: Repository, changes: ReadonlyArray<RefChange>, failure: GitFailed) {
  const refs = yield* Effect.forEach(changes, (change) =>
    Effect.map(readRef(repository, change.name), (ref) => ({ ...change, at: ref?.id ?? null }))
  )
  // A git that ended by itself moved all refs or none.
  const isCutShort = failure.status === null || failure.exceeded !== undefined
  if (isCutShort && refs.some(({ at, from, to }) => at === to && from !== to)) return yield* failure
  const moved = refs.find(({ at, from }) => at !== from)
  if (moved !== undefined) return yield* new RefMoved({ name: moved.name, at: moved.at })
  const [, taken] = /exists; cannot create '([^']+)'/.exec(failure.stderr) ?? []
  const [, both] = /cannot process '[^']+' and '([^']+)' at the same time/.exec(failure.stderr) ?? []
  const name = taken ?? both
  return yield* name === undefined ? failure : new RefNameTaken({ name })
})
