import { Effect } from "effect"
import { Maintenance } from "../git/maintenance.ts"
import { type Refs, refDifference, refsOf } from "../git/pushedRefs.ts"
import { PushLocks } from "../git/pushLocks.ts"
import { Repositories } from "../git/Repositories.ts"
import { branchRef } from "../git/refNames.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { noteReadme, protectDefaultBranch } from "../projects/firstPush.ts"
import { Projects } from "../projects/Projects.ts"
import { RecordedRefs } from "./RecordedRefs.ts"
import { recordRefs } from "./recordRefs.ts"

/**
 * What was recorded just before the process ended was not told to the project: it counts as empty, is not protected, and shows no
 * README then.
 */
const toldProject = Effect.fnUntraced(function* (projectId: number, refs: Refs) {
  const branches = [...refs.keys()].flatMap((ref) => (ref.startsWith(heads) ? [ref.slice(heads.length)] : []))
  if (branches.length === 0) return
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found?.project.empty_repo === true) yield* protectDefaultBranch(projectId, branches)
  if (found?.project.readme === null) yield* noteReadme(projectId)
})

const heads = branchRef("")

const reconcileOne = Effect.fnUntraced(function* (projectId: number) {
  const [repositories, locks] = [yield* Repositories, yield* PushLocks]
  if (!(yield* repositories.exists(projectId))) return
  const repository = repositories.of(projectId)
  yield* locks.hold(
    repository,
    Effect.gen(function* () {
      const recorded = yield* RecordedRefs.use((refs) => refs.of(projectId))
      const present = yield* refsOf(repository)
      const updates = refDifference(recorded, present)
      if (updates.length === 0) return yield* toldProject(projectId, present)
      yield* recordRefs(projectId, { updates, options: [] })
      yield* Effect.logWarning(`Refs of project ${projectId} had moved without being recorded: ${updates.length}`)
    })
  )
  yield* Maintenance.use((maintenance) => maintenance.check(repository))
})

/**
 * Records what moved in repositories without being recorded, because the process ended in between, and has them maintained if they were
 * not. To be run at start; pushes may come in meanwhile.
 */
export const reconcile = Effect.gen(function* () {
  const ids = yield* RecordedRefs.use((refs) => refs.projectIds)
  yield* Effect.forEach(
    ids,
    (id) =>
      Effect.catchCause(reconcileOne(id), (cause) => Effect.logWarning(`Refs of project ${id} could not be compared`, cause)),
    { concurrency: 2, discard: true }
  )
}).pipe(Effect.provideService(CurrentOrigin, systemOrigin("reconcile")))
