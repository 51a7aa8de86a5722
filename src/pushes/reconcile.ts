import { Effect } from "effect"
import { Maintenance } from "../git/maintenance.ts"
import { refDifference, refsOf } from "../git/pushedRefs.ts"
import { Repositories } from "../git/Repositories.ts"
import type { Repository } from "../git/Repository.ts"
import { branchOf } from "../git/refNames.ts"
import { defaultBranch } from "../git/refs.ts"
import { Projects } from "../projects/Projects.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { RecordedRefs } from "./RecordedRefs.ts"
import { reconcileProject } from "./reconcileProject.ts"

/** Whether log and repository seem to agree, by the read models: in far less than it takes to find out for sure. */
const seemsSettled = Effect.fnUntraced(function* (projectId: number, repository: Repository) {
  const recorded = yield* RecordedRefs.use((refs) => refs.of(projectId))
  const present = yield* refsOf(repository)
  if (refDifference(recorded, present).length > 0) return false
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found === undefined || ![...present.keys()].some((ref) => branchOf(ref) !== undefined)) return true
  const { default_branch, empty_repo, readme } = found.project
  return !empty_repo && readme !== null && default_branch === (yield* defaultBranch(repository))
})

const checkProject = Effect.fnUntraced(function* (projectId: number) {
  const repositories = yield* Repositories
  if (!(yield* repositories.exists(projectId))) return
  const repository = repositories.of(projectId)
  if (!(yield* seemsSettled(projectId, repository))) yield* reconcileProject(projectId)
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
