import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import type { Repository } from "../git/Repository.ts"
import { refsOf } from "../git/refs/pushedRefs.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import { branchOf } from "../git/refs/refNames.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { isProject, noteReadme, pointHead, protectDefaultBranch } from "../projects/Projects.ts"
import { recordDifference } from "./recordDifference.ts"

/**
 * Records what moved. What was recorded, but not told to the project, leaves it empty and unprotected, without a README, or with
 * another HEAD than the default branch: that is done now.
 */
const settle = Effect.fnUntraced(function* (projectId: number, repository: Repository) {
  const { moved } = yield* recordDifference(projectId)
  if (moved > 0) yield* Effect.logWarning(`Refs of project ${projectId} had moved without being recorded: ${moved}`)
  const branches = [...(yield* refsOf(repository)).keys()].flatMap((ref) => branchOf(ref) ?? [])
  if (branches.length === 0) return
  yield* protectDefaultBranch(projectId, branches)
  yield* pointHead(projectId)
  yield* noteReadme(projectId)
})

/** Makes log and repository of a project agree; nothing happens where they do, or where there is no such project. */
export const reconcileProject = Effect.fn("pushes.reconcileProject")(
  function* (projectId: number) {
    const [locks, repositories] = [yield* PushLocks, yield* Repositories]
    // The log is read, because read models may not know a new project yet.
    if (!(yield* isProject(projectId)) || !(yield* repositories.exists(projectId))) return
    const repository = repositories.of(projectId)
    yield* locks.hold(repository, Effect.uninterruptible(settle(projectId, repository)))
  },
  Effect.provideService(CurrentOrigin, systemOrigin("reconcile"))
)
