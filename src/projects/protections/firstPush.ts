import { Effect } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { projectAggregate } from "../aggregate.ts"
import type { Protection } from "../events.ts"
import { initialBranch } from "../repository/initialBranch.ts"
import { RepositoryStorage } from "../repository/RepositoryStorage.ts"
import { presentIn } from "../state.ts"
import { DefaultProtections, isProtecting } from "./DefaultProtections.ts"
import { newGrants } from "./newGrants.ts"

/** The protection that the default branch of a project in a namespace gets by itself; null for none. */
export const defaultProtection = Effect.fnUntraced(function* (branch: string, namespaceId: number) {
  const defaults = yield* DefaultProtections.use((protections) => protections.in(namespaceId))
  if (!isProtecting(defaults)) return null
  const id = yield* nextId("protected_ref")
  const [push, merge] = [yield* newGrants(defaults.allowedToPush), yield* newGrants(defaults.allowedToMerge)]
  const protection: Protection = { id, kind: "branch", name: branch, allowForcePush: defaults.allowForcePush, push, merge }
  return protection
})

/** The branch that becomes the default one: the preferred one if it was pushed, else the initial one, else the first. */
const chooseDefaultBranch = (preferred: string | null, branches: ReadonlyArray<string>): string | undefined =>
  [preferred, initialBranch].find((branch) => branch !== null && branches.includes(branch)) ?? branches[0]

/**
 * Chooses the default branch among the first branches of a repository, protects it and points HEAD to it. The result is undefined when
 * the project was deleted or had branches before.
 */
export const protectDefaultBranch = Effect.fnUntraced(function* (projectId: number, branches: ReadonlyArray<string>) {
  const { state } = yield* load(projectAggregate, projectId)
  const project = presentIn(state)
  if (project?.isEmpty !== true) return undefined
  const defaultBranch = chooseDefaultBranch(project.defaultBranch, branches)
  if (defaultBranch === undefined) return undefined
  const protection = yield* defaultProtection(defaultBranch, project.namespaceId)
  const handled = yield* handle(projectAggregate, projectId, { _tag: "Fill", defaultBranch, protection }).pipe(
    Effect.catchTag("ProjectMissing", () => Effect.undefined),
    Effect.orDie
  )
  yield* pointHead(projectId)
  return handled
}, spanned("projects.protectDefaultBranch"))

/** Whether the project is there, was deleted, or never was, as the log stands. */
export const presenceOf = (projectId: number) =>
  Effect.map(load(projectAggregate, projectId), ({ state }) =>
    presentIn(state) === undefined ? (state._tag === "Deleted" ? "Deleted" : "Absent") : "Present"
  )

/**
 * Makes HEAD name the default branch of the log, which is what counts: it is recorded first, and HEAD follows, after a crash at the next
 * start. To be called while the refs are held.
 */
export const pointHead = Effect.fnUntraced(function* (projectId: number) {
  const { state } = yield* load(projectAggregate, projectId)
  const branch = presentIn(state)?.defaultBranch ?? null
  if (branch !== null) yield* RepositoryStorage.use((storage) => storage.setDefaultBranch(projectId, branch))
}, spanned("projects.pointHead"))

/**
 * Notes the README of the default branch, so that nobody has to look into the repository for its name. To be called after branches
 * moved, with their full names, or after another one became the default. Undefined when there is nothing to look at.
 */
export const noteReadme = Effect.fnUntraced(function* (projectId: number, moved?: ReadonlyArray<string>) {
  const { state } = yield* load(projectAggregate, projectId)
  const branch = presentIn(state)?.defaultBranch ?? null
  if (branch === null || moved?.includes(`refs/heads/${branch}`) === false) return undefined
  const readme = yield* RepositoryStorage.use((storage) => storage.readme(projectId, branch))
  // The state tells whether it was noted. A repeated request may look at a branch that moved on.
  return yield* outsideRun(Effect.orDie(handle(projectAggregate, projectId, { _tag: "NoteReadme", readme })))
}, spanned("projects.noteReadme"))
