import { Effect } from "effect"
import { Maintenance } from "../git/maintenance/Maintenance.ts"
import { Repositories } from "../git/Repositories.ts"
import type { Repository } from "../git/Repository.ts"
import { refDifference, refsOf } from "../git/refs/pushedRefs.ts"
import { PushLocks } from "../git/refs/pushLocks.ts"
import { branchOf } from "../git/refs/refNames.ts"
import { defaultBranch } from "../git/refs/refs.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { noteReadme, type ProjectRow, Projects } from "../projects/Projects.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { RecordedRefs } from "./RecordedRefs.ts"
import { reconcileProject } from "./reconcileProject.ts"

/** Whether log and repository seem to agree, by the read models: in far less than it takes to find out for sure. */
const seemsSettled = Effect.fnUntraced(function* (project: ProjectRow, repository: Repository) {
  const recorded = yield* RecordedRefs.use((refs) => refs.of(project.id))
  const present = yield* refsOf(repository)
  if (refDifference(recorded, present).length > 0) return false
  if (![...present.keys()].some((ref) => branchOf(ref) !== undefined)) return true
  return !project.empty_repo && project.default_branch === (yield* defaultBranch(repository))
})

/** Notes the README of a project that seems to have none: alone, because many have none. */
const lookForReadme = Effect.fnUntraced(
  function* (projectId: number, repository: Repository) {
    const locks = yield* PushLocks
    yield* locks.hold(repository, Effect.uninterruptible(noteReadme(projectId)))
  },
  Effect.provideService(CurrentOrigin, systemOrigin("reconcile"))
)

const checkProject = Effect.fnUntraced(function* (projectId: number) {
  const repositories = yield* Repositories
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found === undefined || !(yield* repositories.exists(projectId))) return
  const repository = repositories.of(projectId)
  const { project } = found
  if (!(yield* seemsSettled(project, repository))) yield* reconcileProject(projectId)
  else if (project.readme === null && !project.empty_repo) yield* lookForReadme(projectId, repository)
  yield* Maintenance.use((maintenance) => maintenance.check(repository))
})

/**
 * Makes log and repositories agree where they do not, because the process ended in between, and has repositories maintained that were
 * not. To be run at start; pushes may come in meanwhile.
 */
export const reconcile = Effect.gen(function* () {
  const reconciliation = yield* Reconciliation
  const ids = yield* RecordedRefs.use((refs) => refs.projectIds)
  const check = (id: number) =>
    Effect.catchCause(checkProject(id), (cause) =>
      Effect.andThen(Effect.logWarning(`Refs of project ${id} could not be compared`, cause), reconciliation.soon(id))
    )
  yield* Effect.forEach(ids, check, { concurrency: 2, discard: true })
})
