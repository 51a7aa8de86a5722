import { Effect } from "effect"
import { branchRef } from "../../git/refs/refNames.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { Projects, principalOf } from "../../projects/Projects.ts"
import { isProtectedRef, judge, policyOf } from "../../pushes/Pushes.ts"
import { collaborationsAmong } from "../collaboration/rights.ts"
import type { Source } from "../events.ts"
import { tipOf } from "../heads.ts"
import type { MergeRequestRow } from "../Queries.ts"

/** Whose source branch is to move. */
export interface Subject {
  readonly projectId: number
  readonly targetBranch: string
  readonly source: Source
  readonly allowsCollaboration: boolean
}

export const subjectOf = (row: MergeRequestRow): Subject => ({
  projectId: row.project_id,
  targetBranch: row.target_branch,
  source: { projectId: row.source_project_id, branch: row.source_branch },
  allowsCollaboration: row.allows_collaboration
})

const projectFor = ({ id }: UserRow, projectId: number) => Projects.use((projects) => projects.find(String(projectId), id))

export const cannotPush = "Cannot push to source branch"

/** Why somebody may not rebase the source branch, in the words of the interface; undefined where they may. */
export const rebaseObstacle = Effect.fnUntraced(function* (user: UserRow, subject: Subject) {
  const { source } = subject
  const found = yield* projectFor(user, source.projectId)
  const tip = yield* tipOf(source)
  if (found === undefined || tip === undefined) return "Source branch does not exist"
  const policy = yield* policyOf(found, principalOf({ user }, found.role))
  // Anything that is not a step forward is judged so.
  const verdict = judge(policy, { ref: branchRef(source.branch), before: tip, after: "1".repeat(tip.length) })
  if (verdict._tag === "Allowed") return undefined
  if (verdict._tag === "AllowedForward") return "Source branch is protected from force push"
  const isProtected = isProtectedRef(policy, { name: source.branch, isTag: false })
  if (isProtected || !subject.allowsCollaboration) return cannotPush
  const into = { sourceBranch: source.branch, projectId: subject.projectId, targetBranch: subject.targetBranch }
  return (yield* collaborationsAmong(user, found, [into])).length > 0 ? undefined : cannotPush
})
