import { Effect } from "effect"
import { diffTotals } from "../../git/diff/diff.ts"
import { emptyTreeId } from "../../git/objectId.ts"
import { type Commit, readCommit } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import { projectUrl } from "../access.ts"
import { CommitPipelines } from "../CommitPipelines.ts"
import type { OpenRepository } from "../openRepository.ts"
import { commitOf } from "../revision.ts"
import { presentCommit } from "./present.ts"

export const commitNotFound = thingNotFound("Commit")

/** Changed lines; none where nothing is counted. */
export const presentStats = ({ additions, deletions } = { additions: 0, deletions: 0 }) => ({
  additions,
  deletions,
  total: additions + deletions
})

/** Changed lines against the first parent. */
const statsOf = Effect.fnUntraced(function* (repository: Repository, { id, parents }: Commit) {
  return presentStats(yield* Effect.orDie(diffTotals(repository, { from: parents[0] ?? emptyTreeId, to: id })))
})

/** The commit that a text names. */
export const requireCommit = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, text: string | null) {
  const id = (yield* commitOf(project, text ?? "")) ?? (yield* commitNotFound)
  return (yield* Effect.orDie(readCommit(repository, id))) ?? (yield* commitNotFound)
})

/** A commit by its full id. */
export const commitById = Effect.fnUntraced(function* ({ repository }: OpenRepository, id: string) {
  return (yield* Effect.orDie(readCommit(repository, id))) ?? (yield* commitNotFound)
})

/** A commit on its own. */
export const presentDetail = Effect.fnUntraced(function* (
  open: OpenRepository,
  commit: Commit,
  { request, withStats }: { readonly request: RequestInfo; readonly withStats: boolean }
) {
  const { project, repository } = open
  const pipeline = yield* CommitPipelines.use((pipelines) => pipelines.last(open, commit.id, request))
  return {
    ...presentCommit(commit, projectUrl(project, request)),
    ...defined({ stats: withStats ? yield* statsOf(repository, commit) : undefined }),
    status: pipeline?.status ?? null,
    project_id: project.id,
    last_pipeline: pipeline?.shown ?? null
  }
})
