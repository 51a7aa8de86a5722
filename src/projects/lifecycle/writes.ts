import { Effect, Exit, Option } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { RepositoryTasks } from "../../git/RepositoryTasks.ts"
import { PushLocks } from "../../git/refs/pushLocks.ts"
import { beginMoves, trackMoves } from "../../git/refs/trackMoves.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, history, load, requireAcceptable } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { changes, creates } from "../../platform/repeats.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Change, Content, Create, Transfer } from "../commands.ts"
import { NamespaceMissing, ProjectInvalid, ProjectMissing } from "../errors.ts"
import { creationFaults } from "../faults.ts"
import { isNamespace, NamesTaken, namesOf, namesWithout, releaseUnheld, reserveNames } from "../names.ts"
import { ProjectPushes } from "../ProjectPushes.ts"
import type { DefaultProtections } from "../protections/DefaultProtections.ts"
import { defaultProtection, noteReadme, pointHead } from "../protections/firstPush.ts"
import { ProjectQueries } from "../Queries.ts"
import { initialBranch } from "../repository/initialBranch.ts"
import { RepositoryStorage } from "../repository/RepositoryStorage.ts"
import { type Place, placeOf, presentIn } from "../state.ts"

export type NewProject = Omit<Create, "_tag" | "content">

/** Fails with all names at once that others have, as far as the read model knows. */
const requireAvailable = Effect.fnUntraced(function* (newPlace: Place, id: number | null) {
  const attributes = yield* ProjectQueries.use((projects) => projects.taken(newPlace, id))
  if (attributes.length > 0) return yield* new NamesTaken({ attributes })
})

/** Makes the repository of a new project; answers what is in it. */
type MakeRepository = (id: number) => Effect.Effect<Content | null, never, DefaultProtections | PushLocks | RepositoryTasks | Sql>

/**
 * Creates a project under reserved names. Its repository is made first, so that there is no project without one; a refused
 * project keeps neither. The names come last: a repository may take minutes, and a reservation is safe for seconds.
 */
const create = Effect.fnUntraced(function* (input: NewProject, makeRepository: MakeRepository) {
  const faults = creationFaults(input)
  if (faults.length > 0) return yield* new ProjectInvalid({ faults })
  const newPlace = { namespaceId: input.namespaceId, path: input.path, name: input.settings.name }
  yield* requireAvailable(newPlace, null)
  // After a backup was put back there may be repositories of projects that are newer than the log: a new project gets none of them.
  const id = yield* nextId("project", (yield* Repositories).exists)
  const names = namesOf(newPlace)
  // A project that another run of the same request completed meanwhile stays.
  const undo = Effect.gen(function* () {
    yield* releaseUnheld(names, id)
    const { state } = yield* load(projectAggregate, id)
    if (presentIn(state) === undefined) yield* RepositoryStorage.use((storage) => storage.remove(id))
  })
  const content = yield* Effect.onError(makeRepository(id), () => undo)
  const guard = yield* Effect.onError(reserveNames(names, id), () => undo)
  // Only a refused command is not in the log for sure.
  const handled = yield* Effect.tapError(
    handle(projectAggregate, id, { ...input, _tag: "Create", content }, { guard }),
    () => undo
  )
  if (yield* isNamespace(input)) return { ...handled, id }
  // The deletion of the namespace may not have seen the project.
  yield* removeProject(id)
  return yield* new NamespaceMissing()
})

/**
 * Creates a project by `make`. Fails with `NamespaceMissing` where an earlier run of the request created it and it was deleted again, as
 * it is when its namespace goes while it is made.
 */
export const createsProject = Effect.fnUntraced(function* <E, R>(make: Effect.Effect<Created, E, R>) {
  const created = yield* creates(projectAggregate, make)
  return presentIn(created.state) === undefined ? yield* new NamespaceMissing() : created
})

/** Creates a project with an empty repository. */
export const createProject = Effect.fnUntraced(function* (input: NewProject) {
  const storage = yield* RepositoryStorage
  return yield* create(input, (id) => Effect.as(storage.create(id, input.defaultBranch ?? initialBranch), null))
}, spanned("projects.create"))

/**
 * Records in the log the branches and tags with which the repository of a fork began, as if they had been pushed; that they are there
 * was noted before the project was created. Answers where the log stands then; 0 when there was nothing to record.
 */
const recordForkedRefs = Effect.fnUntraced(function* (projectId: number) {
  const [locks, pushes, tasks] = [yield* PushLocks, yield* ProjectPushes, yield* RepositoryTasks]
  const repository = (yield* Repositories).of(projectId)
  const record = Effect.gen(function* () {
    const scheduled = yield* tasks.find("record", repository)
    const { position } = yield* pushes.recordDifference(projectId)
    if (scheduled !== undefined) yield* tasks.complete("record", scheduled)
    return position
  })
  return yield* locks.withPushLock(repository, Effect.uninterruptible(record))
}, spanned("projects.recordForkedRefs"))

type Created = Effect.Success<ReturnType<typeof createProject>>

/** Creates a project with the branches and tags of another one, or with one branch of it alone. */
export const forkProject = Effect.fnUntraced(function* (input: NewProject, sourceId: number, branch: string | null) {
  const [repositories, storage] = [yield* Repositories, yield* RepositoryStorage]
  const forked = yield* create(
    input,
    Effect.fnUntraced(function* (id: number) {
      yield* storage.fork(sourceId, id, branch)
      yield* beginMoves(repositories.of(id))
      if (yield* storage.isEmpty(id)) return null
      const defaultBranch = (yield* storage.defaultBranch(id)) ?? initialBranch
      return { defaultBranch, protection: yield* defaultProtection(defaultBranch, input.namespaceId) }
    })
  )
  const position = yield* recordForkedRefs(forked.id)
  return { ...forked, position: Math.max(position, forked.position) }
}, spanned("projects.fork"))

const branchIsMissing = (branch: string) =>
  new ProjectInvalid({ faults: [{ attribute: "base", text: `Could not change HEAD: branch '${branch}' does not exist` }] })

/** Changes the default branch, and lets HEAD and the README follow before anything else moves; what fails is done later. */
const withDefaultBranch = Effect.fnUntraced(function* <A, E, R>(id: number, change: Effect.Effect<A, E, R>) {
  const [pushes, repositories] = [yield* ProjectPushes, yield* Repositories]
  const followed = Effect.onError(Effect.andThen(pointHead(id), noteReadme(id)), () => pushes.reconcile(id))
  const changed = Effect.flatMap(change, (handled) => Effect.map(followed, (recorded) => recorded ?? handled))
  // What is refused changes nothing.
  return yield* trackMoves(
    repositories.of(id),
    changed,
    (exit) => Exit.isSuccess(exit) || Option.isSome(Exit.findErrorOption(exit))
  )
})

type ProjectChange = Omit<Change, "_tag" | "from">

/** Changes what needs a reservation, or a branch that is there. */
const changeIdentity = Effect.fnUntraced(function* (id: number, input: ProjectChange) {
  const { changes: settings, defaultBranch } = input
  const { state } = yield* load(projectAggregate, id)
  const project = presentIn(state)
  if (project === undefined) return yield* new ProjectMissing()
  const from = placeOf(project)
  const isNamed = input.path !== undefined || settings.name !== undefined
  const command: Change = { ...input, _tag: "Change", ...defined({ from: isNamed ? from : undefined }) }
  yield* requireAcceptable(projectAggregate, state, command)
  const newPlace = { ...from, path: input.path ?? from.path, name: settings.name ?? from.name }
  const [before, after] = [namesOf(from), namesOf(newPlace)]
  const added = namesWithout(after, before)
  if (added.length > 0) yield* requireAvailable(newPlace, id)
  const guard = yield* reserveNames(added, id)
  if (defaultBranch !== undefined && defaultBranch !== project.defaultBranch) {
    const isThere = yield* RepositoryStorage.use((storage) => storage.hasBranch(id, defaultBranch))
    if (!isThere) {
      yield* releaseUnheld(added, id)
      return yield* branchIsMissing(defaultBranch)
    }
  }
  const handled = yield* Effect.tapError(handle(projectAggregate, id, command, { guard }), () => releaseUnheld(added, id))
  yield* releaseUnheld(namesWithout(before, after), id)
  return handled
})

const change = (id: number, input: ProjectChange) =>
  input.path === undefined && input.changes.name === undefined && input.defaultBranch === undefined
    ? handle(projectAggregate, id, { ...input, _tag: "Change" })
    : changeIdentity(id, input)

/** Changes a project: its settings, the last segment of its path, its default branch. Refuses with `ProjectMoved` too. */
export const changeProject = (id: number, input: ProjectChange) => {
  const changed = changes(projectAggregate, id, change(id, input))
  return spanned("projects.change")(input.defaultBranch === undefined ? changed : withDefaultBranch(id, changed))
}

/**
 * Gives a project back, with its owner, out of a namespace that was deleted meanwhile. Where something else took its names by
 * then, or somebody renamed it, it goes with the namespace, unless it was brought elsewhere.
 */
const revertTransfer = Effect.fnUntraced(function* (id: number, { by, from, namespaceId }: Transfer) {
  const command = { _tag: "Transfer", from: { ...from, namespaceId }, namespaceId: from.namespaceId, ownerId: null } as const
  const revert: Transfer = { ...command, maxVisibility: "public", by }
  const names = namesOf(from)
  // Anew: the reservations are as old as the project, and safe for seconds.
  yield* releaseUnheld(names, id)
  const isReverted = yield* reserveNames(names, id).pipe(
    Effect.flatMap((guard) => handle(projectAggregate, id, revert, { guard })),
    Effect.as(true),
    Effect.catchTags({ NamesTaken: () => Effect.succeed(false), ProjectMoved: () => Effect.succeed(false) })
  )
  if (isReverted) return
  const { state } = yield* load(projectAggregate, id)
  if (presentIn(state)?.namespaceId === namespaceId) yield* removeProject(id)
})

/**
 * Gives a project, with its names, to another namespace. Its former path leads to it until something else takes it. Refuses with
 * `ProjectMissing`, `ProjectInNamespace`, `NamesTaken`, `ProjectMoved` and `NamespaceMissing`.
 */
export const transferProject = Effect.fnUntraced(function* (id: number, input: Omit<Transfer, "_tag" | "from">) {
  const { state } = yield* load(projectAggregate, id)
  const project = presentIn(state)
  if (project === undefined) return yield* new ProjectMissing()
  const from = placeOf(project)
  const command: Transfer = { ...input, _tag: "Transfer", from }
  yield* requireAcceptable(projectAggregate, state, command)
  const newPlace = { ...from, namespaceId: input.namespaceId }
  yield* requireAvailable(newPlace, id)
  const [before, after] = [namesOf(from), namesOf(newPlace)]
  const guard = yield* reserveNames(after, id)
  const handled = yield* Effect.tapError(handle(projectAggregate, id, command, { guard }), () => releaseUnheld(after, id))
  const isThere = yield* isNamespace(input)
  const release = releaseUnheld([...before, ...after], id)
  if (!isThere) yield* Effect.tapError(revertTransfer(id, command), () => release)
  yield* release
  return isThere ? handled : yield* new NamespaceMissing()
}, spanned("projects.transfer"))

/** Whether the repository of a deleted project is gone. Where the disk does not allow it now, it is removed later. */
const removeRepository = (id: number) =>
  RepositoryStorage.use((storage) => Effect.as(storage.remove(id), true)).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logWarning(`The repository of project ${id}, which was deleted, cannot be removed yet`, defect), false)
    )
  )

/**
 * Deletes a project with its repository; its names may be taken again. A repeat ends what the first run left, and so does the clean-up.
 */
export const removeProject = Effect.fnUntraced(function* (id: number) {
  const tasks = yield* RepositoryTasks
  const removal = yield* tasks.scheduleRemoval((yield* Repositories).of(id))
  const { events } = yield* history(projectAggregate, id)
  const handled = yield* handle(projectAggregate, id, { _tag: "Delete" })
  const last = presentIn(
    events.filter(({ _tag }) => _tag !== "ProjectDeleted").reduce(projectAggregate.evolve, projectAggregate.initial)
  )
  if (last !== undefined) yield* releaseUnheld(namesOf(placeOf(last)), id)
  if (yield* removeRepository(id)) yield* tasks.complete("remove", removal)
  return handled
}, spanned("projects.remove"))
