import { Effect } from "effect"
import { RepositoryTasks } from "../git/maintenance/RepositoryTasks.ts"
import { Repositories } from "../git/Repositories.ts"
import { refsOf } from "../git/refs/pushedRefs.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import { branchOf } from "../git/refs/refNames.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { noteReadme, pointHead, protectDefaultBranch, standing } from "../projects/Projects.ts"
import { recordDifference } from "./recordDifference.ts"

/**
 * Records what moved. What was recorded, but not told to the project, leaves it empty and unprotected, without a README, or with
 * another HEAD than the default branch: that is done now.
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

/** Settles what is noted, for whoever holds the refs. */
const settleNoted = Effect.fnUntraced(function* (projectId: number) {
  const [repositories, tasks] = [yield* Repositories, yield* RepositoryTasks]
  const noted = yield* tasks.find("record", repositories.of(projectId))
  if (noted === undefined) return
  if (yield* repositories.exists(projectId)) {
    // The log is read, because read models may not know a new project yet.
    const project = yield* standing(projectId)
    // A fork is being made, or was when its process was killed.
    if (project === "Absent") return
    if (project === "Present") yield* settle(projectId)
  }
  yield* tasks.done("record", noted)
})

/** Makes log and repository of a project agree where it is noted that they may not. */
export const reconcileProject = Effect.fn("pushes.reconcileProject")(
  function* (projectId: number) {
    const [locks, repositories] = [yield* PushLocks, yield* Repositories]
    yield* locks.withPushLock(repositories.of(projectId), Effect.uninterruptible(settleNoted(projectId)))
  },
  Effect.provideService(CurrentOrigin, systemOrigin("reconcile"))
)
