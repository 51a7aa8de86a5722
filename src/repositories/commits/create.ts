import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, forbidden, forbiddenBecause } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { can, findReadable, type ProjectRow } from "../../projects/Projects.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { type ActionInput, fileAction, hasChanged, plainPath, requireBase64, requireComplete, writeActions } from "./actions.ts"
import { createCommit } from "./contract.ts"
import { makeCommit } from "./makeCommit.ts"
import { requirePush, requireStart } from "./start.ts"
import { commitById, presentDetail } from "./view.ts"

/** The project that a branch begins in: what the project is a fork of. */
const requireStartProject = Effect.fnUntraced(function* (project: ProjectRow, sent: string, caller: Caller) {
  const { project: start, principal } = yield* findReadable(sent, caller)
  if (start.id === project.id) return undefined
  if (project.forked_from_id !== start.id) {
    return yield* forbiddenBecause(`Project is not included in the fork network for ${start.path_with_namespace}`)
  }
  return can("read_code", principal, start) ? start : yield* forbidden
})

const checked: ReadonlySet<string | null> = new Set(["update", "move", "delete", "chmod"])

/** Fails where somebody has changed a file since the caller looked. */
const requireUnchanged = Effect.fnUntraced(function* (
  { repository }: OpenRepository,
  parent: string | undefined,
  actions: ReadonlyArray<ActionInput>
) {
  for (const { action, file_path, last_commit_id, previous_path } of actions) {
    if (!checked.has(action)) continue
    const path = plainPath(previous_path || file_path)
    if (yield* hasChanged(repository, parent, { path, commit: last_commit_id })) {
      return yield* badRequest(`The file has changed since you started editing it: ${file_path}`)
    }
  }
})

export const createCommitRoute = guardedRoute(
  createCommit,
  openRepository,
  Effect.fnUntraced(function* (input) {
    const { caller, guarded, parameters, request } = input
    const { actions, branch, force, start_branch, start_project, start_sha, stats } = parameters
    const { project } = guarded
    yield* requireComplete(actions)
    const startProject = start_project ? yield* requireStartProject(project, start_project, caller) : undefined
    const policy = yield* requirePush(guarded, branch)
    yield* requireBase64(actions)
    const destination = {
      branch,
      startBranch: start_branch || undefined,
      startSha: start_sha || undefined,
      startProject,
      isForced: force
    }
    const id = yield* makeCommit(guarded, {
      branch,
      policy,
      start: Effect.tap(requireStart(guarded, destination), ({ parent }) => requireUnchanged(guarded, parent, actions)),
      write: writeActions(input, actions.map(fileAction))
    })
    return ok(yield* presentDetail(guarded, yield* commitById(guarded, id), { request, withStats: stats }))
  })
)
