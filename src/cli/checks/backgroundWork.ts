import { Effect } from "effect"
import { AppConfig } from "../../config.ts"
import { notedCount } from "../../git/contributors/exceededNote.ts"
import { notedLimit } from "../../git/maintenance/exceededNote.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { limitOf, type ProcessLimit } from "../../platform/processes/ProcessLimits.ts"
import { checked, ok, warn } from "./Finding.ts"

const name = "background work"
/** The finding names at most this many repositories. */
const maxListed = 5
const remedy = "raise BACKGROUND_LIMITS or BULK_LIMITS; the next push has it tried again"

/** The work on a repository that came to a limit, and is not tried again as things are. */
const exceededIn = Effect.fnUntraced(function* (repository: Repository, limit: ProcessLimit) {
  const maintenance = yield* notedLimit(repository)
  // What is wrong with the repository itself is told elsewhere.
  const count = yield* Effect.catchTag(notedCount(repository, limit), "GitFailed", () => Effect.undefined)
  const works = [
    ...(maintenance === undefined ? [] : [`maintenance exceeded its limit of ${maintenance}`]),
    ...(count === undefined ? [] : [count.reason])
  ]
  return works.length === 0 ? [] : [`${repository.path} (${works.join("; ")})`]
})

/** Which repositories bear notes that work came to a limit. */
export const checkBackgroundWork = checked(
  name,
  "see DATA_DIR/repositories",
  Effect.gen(function* () {
    const repositories = yield* Repositories
    const limit = limitOf((yield* AppConfig).bulkLimits)
    const ids = [...(yield* repositories.ids)].sort((a, b) => a - b)
    const found = yield* Effect.forEach(ids, (id) => exceededIn(repositories.of(id), limit), { concurrency: 4 })
    const exceeded = found.flat()
    if (exceeded.length === 0) return [ok(name, "none came to a limit")]
    const more = exceeded.length > maxListed ? `, and ${exceeded.length - maxListed} more` : ""
    return [warn(name, `came to limits in ${exceeded.length}: ${exceeded.slice(0, maxListed).join(", ")}${more}`, remedy)]
  }).pipe(Effect.provide(Repositories.layer))
)
