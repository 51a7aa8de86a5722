import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { RepositoryTasks } from "../git/RepositoryTasks.ts"
import { refsOf } from "../git/refs/pushedRefs.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import { branchOf } from "../git/refs/refNames.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { noteReadme, pointHead, presenceOf, protectDefaultBranch } from "../projects/ProjectProtections.ts"
import { recordDifference } from "./recordDifference.ts"

/**
 * Records refs that moved, and updates the project accordingly: its default branch, protection, README and HEAD may be missing when the
 * process was killed after recording.
 */
const settle = Effect.fnUntraced(function* (projectId: number) {
  const repository = (yield* Repositories).of(projectId)
  const { moved } = yield* recordDifference(projectId)
  if (moved > 0) yield* Effect.logWarning(`Refs of project ${projectId} had moved without being recorded: ${moved}`)
  const branches = [...(yield* refsOf(repository)).keys()].flatMap((ref) => branchOf(ref) ?? [])
  if (branches.length === 0) return
  yield* protectDefaultBranch(projectId, branches)
  yield* pointHead(projectId)
  yield* noteReadme(projectId)
})

/** Settles scheduled recordings, while the refs are locked. */
const settleScheduled = Effect.fnUntraced(function* (projectId: number) {
  const [repositories, tasks] = [yield* Repositories, yield* RepositoryTasks]
  const scheduled = yield* tasks.find("record", repositories.of(projectId))
  if (scheduled === undefined) return
  if (yield* repositories.exists(projectId)) {
    // The log is read, because read models may not know a new project yet.
    const project = yield* presenceOf(projectId)
    // A fork is in progress, or was when its process was killed.
    if (project === "Absent") return
    if (project === "Present") yield* settle(projectId)
  }
  yield* tasks.complete("record", scheduled)
})

/** Reconciles log and repository of a project when recording is scheduled. */
export const reconcileProject = Effect.fnUntraced(
  function* (projectId: number) {
    const [locks, repositories] = [yield* PushLocks, yield* Repositories]
    yield* locks.withPushLock(repositories.of(projectId), Effect.uninterruptible(settleScheduled(projectId)))
  },
  Effect.provideService(CurrentOrigin, systemOrigin("reconcile")),
  spanned("pushes.reconcileProject")
)
