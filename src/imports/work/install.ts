import { join } from "node:path"
import { Data, Effect } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { type Refs, refDifference, refsOf } from "../../git/refs/pushedRefs.ts"
import { putRefs } from "../../git/refs/putRefs.ts"
import type { RefChange } from "../../git/refs/RefChange.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { trackMoves } from "../../git/refs/trackMoves.ts"
import { updateRefs } from "../../git/refs/updateRefs.ts"
import { Reconciliation, RecordedRefs, recordRefs } from "../../pushes/Pushes.ts"
import { type PackedRefs, packedRefs } from "./packedRefs.ts"
import { moveObjects, type Staging } from "./staging.ts"

/** Somebody pushed to the repository while it was being imported into. */
export class RepositoryNotEmpty extends Data.TaggedError("RepositoryNotEmpty") {}

export interface InstallInput {
  readonly projectId: number
  readonly staging: Staging
  readonly target: Repository
  /** The names of branches that may become the default one, the best first. */
  readonly heads: ReadonlyArray<string>
}

/** Records the refs that moved: the default branch alone first, because the first branch of a project becomes the default one. */
const record = Effect.fnUntraced(function* ({ heads, projectId, target }: InstallInput) {
  const recorded = yield* RecordedRefs.use((refs) => refs.of(projectId))
  const updates = refDifference(recorded, yield* refsOf(target))
  const first = heads.map(branchRef).find((ref) => updates.some((update) => update.ref === ref))
  const batches = [updates.filter(({ ref }) => ref === first), updates.filter(({ ref }) => ref !== first)]
  for (const batch of batches) if (batch.length > 0) yield* recordRefs(projectId, { updates: batch, options: [] })
})

const isIn = (kind: "heads" | "tags") => (ref: string) => ref.startsWith(`refs/${kind}/`)

const absentIn = (present: Refs, { ids }: PackedRefs): ReadonlyArray<RefChange> =>
  [...ids].filter(([name]) => !present.has(name)).map(([name, to]) => ({ name, from: null, to }))

/**
 * Moves what was fetched into the repository of a project: the objects, then all branches and tags at once, and records them.
 * What an earlier run installed before it was killed stays, and is recorded if it was not. Answers how many there are. Names that
 * the service does not take are left out.
 */
export const install = Effect.fn("imports.install")(function* (input: InstallInput) {
  const { projectId, staging, target } = input
  const reconciliation = yield* Reconciliation
  const fetched = yield* packedRefs(staging)
  yield* moveObjects(staging, target)
  const move = Effect.gen(function* () {
    const present = yield* refsOf(target)
    if ([...present].some(([ref, id]) => fetched.ids.get(ref) !== id)) return yield* new RepositoryNotEmpty()
    const written = putRefs(fetched.text, target, join(staging.folder, "refs"))
    const moved = present.size === 0 ? written : updateRefs(target, absentIn(present, fetched))
    // A git that failed may have moved some refs.
    yield* Effect.onError(Effect.andThen(moved, record(input)), () => reconciliation.schedule(projectId))
  })
  yield* trackMoves(target, Effect.uninterruptible(move))
  const names = [...fetched.ids.keys()]
  return { branches: names.filter(isIn("heads")).length, tags: names.filter(isIn("tags")).length }
})
