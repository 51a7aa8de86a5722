import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { can, type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import type { CollaboratingInto } from "../Queries.ts"
import { mergeableBranches } from "../view.ts"

/** Those that somebody may merge into one project, which is looked at once for all of them. */
const mergeable = Effect.fnUntraced(function* (user: UserRow, projectId: number, open: ReadonlyArray<CollaboratingInto>) {
  const target = yield* Projects.use((projects) => projects.find(String(projectId), user.id))
  if (target === undefined || target.project.visibility === "private") return []
  const found = { ...target, principal: principalOf({ user }, target.role) }
  const branches = yield* mergeableBranches(found, [...new Set(open.map(({ targetBranch }) => targetBranch))])
  return open.filter(({ targetBranch }) => branches.includes(targetBranch))
})

/**
 * The branches of a fork, which was found for somebody, to which they may push because they may merge them. `open` are the merge requests that let
 * them. Nobody does so where either project is private.
 */
export const collaborationsAmong = Effect.fnUntraced(function* (
  user: UserRow,
  { project, role }: FoundProject,
  open: ReadonlyArray<CollaboratingInto>
) {
  if (project.archived || project.visibility === "private") return []
  if (!can("read_code", principalOf({ user }, role), project)) return []
  const others = open.filter(({ projectId }) => projectId !== project.id)
  const byTarget = Map.groupBy(others, ({ projectId }) => projectId)
  const found = yield* Effect.forEach(byTarget, ([projectId, into]) => mergeable(user, projectId, into))
  return found.flat().map(({ sourceBranch }) => sourceBranch)
})
