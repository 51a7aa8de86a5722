import { Clock, Effect } from "effect"
import { accessLevel } from "../members/levels.ts"
import { handle, load } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import type { Protection } from "./events.ts"
import { projectAggregate } from "./handle.ts"
import { RepositoryStorage, usualBranch } from "./RepositoryStorage.ts"

/** The protection that a default branch gets by itself: Maintainers push and merge, nobody forces. */
export const defaultProtection = Effect.fnUntraced(function* (branch: string) {
  const id = yield* nextId("protected_ref")
  const push = [{ id: yield* nextId("protected_ref_access"), accessLevel: accessLevel.maintainer }]
  const merge = [{ id: yield* nextId("protected_ref_access"), accessLevel: accessLevel.maintainer }]
  const protection: Protection = { id, kind: "branch", name: branch, allowForcePush: false, push, merge }
  return protection
})

/** The branch that becomes the default one: the wished one if it was pushed, else the usual one, else the first. */
const chosen = (wished: string | null, branches: ReadonlyArray<string>): string | undefined =>
  [wished, usualBranch].find((branch) => branch !== null && branches.includes(branch)) ?? branches[0]

/**
 * To be called after the first branches of a repository were made, with their names: chooses the default branch, makes HEAD
 * name it and protects it. Undefined when the project is gone or had branches before.
 */
export const protectDefaultBranch = Effect.fn("projects.protectDefaultBranch")(function* (
  projectId: number,
  branches: ReadonlyArray<string>
) {
  const { state } = yield* load(projectAggregate, projectId)
  if (state._tag === "Absent" || state._tag === "Deleted" || !state.project.isEmpty) return undefined
  const defaultBranch = chosen(state.project.defaultBranch, branches)
  if (defaultBranch === undefined) return undefined
  yield* RepositoryStorage.use((storage) => storage.chooseDefaultBranch(projectId, defaultBranch))
  const protection = yield* defaultProtection(defaultBranch)
  return yield* handle(projectAggregate, projectId, { _tag: "Fill", defaultBranch, protection }).pipe(
    Effect.catchTag("ProjectMissing", () => Effect.succeed(undefined)),
    Effect.orDie
  )
})

/** Notes that something happened in the project, at most once an hour. */
export const noteActivity = Effect.fn("projects.noteActivity")(function* (projectId: number) {
  const at = yield* Clock.currentTimeMillis
  return yield* Effect.orDie(handle(projectAggregate, projectId, { _tag: "NoteActivity", at }))
})
