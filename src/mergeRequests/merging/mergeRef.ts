import { Clock, Effect } from "effect"
import { mergeRef } from "../../git/merge/mergeRef.ts"
import type { Authorship } from "../../git/merge/squash.ts"
import { Repositories } from "../../git/Repositories.ts"
import { signed } from "../../repositories/Code.ts"
import { headsOf } from "../heads.ts"
import type { MergeRequestRow } from "../Queries.ts"

/** Nobody in particular: the commit is on no branch. */
const byService = (message: string, seconds: number): Authorship => {
  const person = signed({ name: "Chronoforge", email: "noreply@localhost" }, seconds)
  return { author: person, committer: person, message }
}

/** The commit that a merge would make, on a ref of its own; undefined where the branches cannot be merged. */
export const mergeRefOf = Effect.fnUntraced(
  function* (row: MergeRequestRow) {
    const { source, target } = yield* headsOf(
      { projectId: row.source_project_id, branch: row.source_branch },
      { projectId: row.project_id, branch: row.target_branch }
    )
    // Of a fork, the repository has what the last version brought.
    if (source === undefined || target === undefined || source !== row.sha) return undefined
    const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const merge = byService(`Merge ${source} into ${target}`, seconds)
    return yield* mergeRef((yield* Repositories).of(row.project_id), { iid: row.iid, source, target, merge })
  },
  Effect.catchTags({
    MergeConflicts: () => Effect.undefined,
    AlreadyMerged: () => Effect.undefined,
    NothingInCommon: () => Effect.undefined,
    RebaseNeeded: () => Effect.undefined,
    TreesRefused: () => Effect.undefined
  }),
  Effect.orDie
)
