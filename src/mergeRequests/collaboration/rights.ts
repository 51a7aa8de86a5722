import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { can, type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import { mayMerge } from "../view.ts"

/** A merge request of which others than those of its source may move the branch, or may not. */
export interface Collaborating {
  readonly projectId: number
  readonly targetBranch: string
  readonly allowsCollaboration: boolean
}

/**
 * Whether somebody may push to a branch of a fork, which was found for them, because they may merge it. Nobody does so where either project is
 * private.
 */
export const mayCollaborate = Effect.fnUntraced(function* (
  user: UserRow,
  { project, role }: FoundProject,
  { allowsCollaboration, projectId, targetBranch }: Collaborating
) {
  if (!allowsCollaboration || project.archived || project.visibility === "private") return false
  if (!can("read_code", principalOf({ user }, role), project)) return false
  const target = yield* Projects.use((projects) => projects.find(String(projectId), user.id))
  if (target === undefined || target.project.id === project.id || target.project.visibility === "private") return false
  return yield* mayMerge({ ...target, principal: principalOf({ user }, target.role) }, { target_branch: targetBranch })
})
