import { Data } from "effect"

/** The change does not fit onto the target. */
export class MergeConflicts extends Data.TaggedError("MergeConflicts")<{
  /** Paths of the files with conflicts; there may be none, where it is not clear into which directory files belong. */
  readonly files: ReadonlyArray<string>
}> {}

/** The target reaches the source, so there is nothing to merge. */
export class AlreadyMerged extends Data.TaggedError("AlreadyMerged")<{ readonly source: string }> {}

/** The histories have no commit in common. */
export class NothingInCommon extends Data.TaggedError("NothingInCommon")<{ readonly target: string; readonly source: string }> {}

/** The target has commits that the source lacks, and the method of merging does not allow that. */
export class RebaseNeeded extends Data.TaggedError("RebaseNeeded")<{ readonly target: string; readonly source: string }> {}

export type MergeRefusal = MergeConflicts | AlreadyMerged | NothingInCommon | RebaseNeeded
