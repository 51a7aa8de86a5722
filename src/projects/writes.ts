import { Effect } from "effect"
import { alreadyCreated, alreadyHandled, handle, load } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import type { Sql } from "../platform/sql/Sql.ts"
import type { Change, Content, Create, Transfer } from "./commands.ts"
import type { DefaultProtections } from "./DefaultProtections.ts"
import { decide } from "./decide.ts"
import { ProjectInvalid, ProjectMissing } from "./errors.ts"
import { defaultProtection, noteReadme } from "./firstPush.ts"
import { recordForkedRefs } from "./forkedRefs.ts"
import { projectAggregate } from "./handle.ts"
import { NamesTaken, namesOf, namesWithout, releaseUnheld, reserveNames } from "./names.ts"
import { ProjectReadModel } from "./ReadModel.ts"
import { RepositoryStorage } from "./RepositoryStorage.ts"
import { initial, type State } from "./state.ts"
import { usualBranch } from "./usualBranch.ts"

export type Wish = Omit<Create, "_tag" | "content">

/** Whether the command would be accepted. Names are reserved only for a project that is otherwise fine. */
const acceptable = (command: Create | Change | Transfer, state: State) => Effect.asVoid(Effect.fromResult(decide(command, state)))

/** Fails with all names at once that others have, as far as the read model knows. */
const requireFree = Effect.fnUntraced(function* (wished: Parameters<typeof namesOf>[0], id: number) {
  const attributes = yield* ProjectReadModel.use((projects) => projects.taken(wished, id))
  if (attributes.length > 0) return yield* new NamesTaken({ attributes })
})

/** Makes the repository of a new project; answers what is in it. */
type MakeRepository = (id: number) => Effect.Effect<Content | null, never, DefaultProtections | Sql>

/**
 * Creates a project under reserved names. Its repository is made first, so that there is no project without one; a refused
 * project keeps neither.
 */
const create = Effect.fnUntraced(function* (wish: Wish, makeRepository: MakeRepository) {
  const earlier = yield* alreadyCreated(projectAggregate)
  if (earlier !== undefined) return earlier
  yield* acceptable({ ...wish, _tag: "Create", content: null }, initial)
  const id = yield* nextId("project")
  const wished = { namespaceId: wish.namespaceId, path: wish.path, name: wish.settings.name }
  yield* requireFree(wished, id)
  const names = namesOf(wished)
  yield* reserveNames(names, id)
  const undo = Effect.andThen(
    releaseUnheld(names, id),
    RepositoryStorage.use((storage) => storage.remove(id))
  )
  const content = yield* Effect.onError(makeRepository(id), () => undo)
  // Only what was refused is not in the log for sure.
  const handled = yield* Effect.tapError(handle(projectAggregate, id, { ...wish, _tag: "Create", content }), () => undo)
  return { ...handled, id }
})

/** Creates a project with an empty repository. */
export const createProject = Effect.fn("projects.create")(function* (wish: Wish) {
  const storage = yield* RepositoryStorage
  return yield* create(wish, (id) => Effect.as(storage.create(id, wish.defaultBranch ?? usualBranch), null))
})

/** Creates a project with the branches and tags of another one, or with one branch of it alone. */
export const forkProject = Effect.fn("projects.fork")(function* (wish: Wish, sourceId: number, branch: string | null) {
  const storage = yield* RepositoryStorage
  const forked = yield* create(
    wish,
    Effect.fnUntraced(function* (id: number) {
      yield* storage.fork(sourceId, id, branch)
      if (yield* storage.isEmpty(id)) return null
      const defaultBranch = (yield* storage.defaultBranch(id)) ?? usualBranch
      return { defaultBranch, protection: yield* defaultProtection(defaultBranch, wish.namespaceId) }
    })
  )
  const position = yield* recordForkedRefs(forked.id)
  return { ...forked, position: Math.max(position, forked.position) }
})

const branchIsMissing = (branch: string) =>
  new ProjectInvalid({ faults: [{ attribute: "base", text: `Could not change HEAD: branch '${branch}' does not exist` }] })

/** Changes a project: its settings, the last segment of its path, its default branch. */
export const changeProject = Effect.fn("projects.change")(function* (id: number, wish: Omit<Change, "_tag">) {
  const { defaultBranch } = wish
  const noted = defaultBranch === undefined ? Effect.undefined : noteReadme(id)
  const earlier = yield* alreadyHandled(projectAggregate, id)
  if (earlier !== undefined) return (yield* noted) ?? earlier
  const { state } = yield* load(projectAggregate, id)
  if (state._tag === "Absent" || state._tag === "Deleted") return yield* new ProjectMissing()
  const command: Change = { ...wish, _tag: "Change" }
  yield* acceptable(command, state)
  const { namespaceId, path, settings } = state.project
  const before = namesOf({ namespaceId, path, name: settings.name })
  const wished = { namespaceId, path: wish.path ?? path, name: wish.changes.name ?? settings.name }
  const after = namesOf(wished)
  const added = namesWithout(after, before)
  if (added.length > 0) yield* requireFree(wished, id)
  yield* reserveNames(added, id)
  if (defaultBranch !== undefined && defaultBranch !== state.project.defaultBranch) {
    const isThere = yield* RepositoryStorage.use((storage) => storage.chooseDefaultBranch(id, defaultBranch))
    if (!isThere) {
      yield* releaseUnheld(added, id)
      return yield* branchIsMissing(defaultBranch)
    }
  }
  const handled = yield* Effect.tapError(handle(projectAggregate, id, command), () => releaseUnheld(added, id))
  yield* releaseUnheld(namesWithout(before, after), id)
  return (yield* noted) ?? handled
})

type TransferWish = Omit<Transfer, "_tag">

/** Gives a project, with its names, to another namespace. Its former path leads to it until something else takes it. */
export const transferProject = Effect.fn("projects.transfer")(function* (id: number, wish: TransferWish) {
  const { state } = yield* load(projectAggregate, id)
  if (state._tag === "Absent" || state._tag === "Deleted") return yield* new ProjectMissing()
  const { namespaceId, path, settings } = state.project
  const command: Transfer = { ...wish, _tag: "Transfer" }
  yield* acceptable(command, state)
  const before = namesOf({ namespaceId, path, name: settings.name })
  const wished = { namespaceId: wish.namespaceId, path, name: settings.name }
  yield* requireFree(wished, id)
  const after = namesOf(wished)
  yield* reserveNames(after, id)
  const handled = yield* Effect.tapError(handle(projectAggregate, id, command), () => releaseUnheld(after, id))
  yield* releaseUnheld([...before, ...after], id)
  return handled
})

/** Deletes a project with its repository; its names may be taken again. A repeat ends what the first run left. */
export const removeProject = Effect.fn("projects.remove")(function* (id: number) {
  const { events } = yield* load(projectAggregate, id)
  const handled = yield* handle(projectAggregate, id, { _tag: "Delete" })
  const last = events.reduce<State>(
    (state, event) => (event._tag === "ProjectDeleted" ? state : projectAggregate.evolve(state, event)),
    initial
  )
  if (last._tag === "Active" || last._tag === "Archived") {
    const { namespaceId, path, settings } = last.project
    yield* releaseUnheld(namesOf({ namespaceId, path, name: settings.name }), id)
  }
  yield* RepositoryStorage.use((storage) => storage.remove(id))
  return handled
})
