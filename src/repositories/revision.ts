import { Effect } from "effect"
import { Objects } from "../git/objects/Objects.ts"
import { Repositories } from "../git/Repositories.ts"
import type { GitFailed } from "../git/Repository.ts"
import { branchRef } from "../git/refs/refNames.ts"
import { defaultBranch } from "../git/refs/refs.ts"
import { resolveCommit } from "../git/refs/revisions.ts"
import type { ProjectRow } from "../projects/Projects.ts"

type ProjectId = Pick<ProjectRow, "id">

/** What is not found, for want of a repository too. Any other failure of git is a defect. */
export const orAbsent = <A, R>(
  { id }: ProjectId,
  found: Effect.Effect<A | undefined, GitFailed, R>
): Effect.Effect<A | undefined, never, R | Repositories> =>
  Effect.catchTag(found, "GitFailed", (failure) =>
    Effect.flatMap(
      Repositories.use((repositories) => repositories.exists(id)),
      (isThere) => (isThere ? Effect.die(failure) : Effect.undefined)
    )
  )

/** The id of the commit that a text from a user names in the repository of a project; undefined when there is none. */
export const commitOf = Effect.fnUntraced(function* (project: ProjectId, text: string) {
  const repository = (yield* Repositories).of(project.id)
  return yield* orAbsent(project, resolveCommit(repository, text))
})

/** What an object id names in the repository of a project; undefined where there is none. */
export const objectOf = Effect.fnUntraced(function* (project: ProjectId, id: string) {
  const repository = (yield* Repositories).of(project.id)
  return yield* orAbsent(project, (yield* Objects).info(repository, id))
})

/** What the project says, else what HEAD names. */
export const defaultBranchOf = Effect.fnUntraced(function* ({ default_branch, id }: ProjectRow) {
  return default_branch ?? (yield* defaultBranch((yield* Repositories).of(id)))
})

/** A commit with the name that led to it. */
export interface Named {
  readonly ref: string
  readonly commit: string
}

/** The commit that a text names, or that of the default branch when nothing was sent; undefined where there is none. */
export const commitOrDefault = Effect.fnUntraced(function* (project: ProjectRow, sent: string | null | undefined) {
  const isSent = typeof sent === "string"
  const ref = isSent ? sent : yield* defaultBranchOf(project)
  const commit = ref === undefined ? undefined : yield* commitOf(project, isSent ? ref : branchRef(ref))
  const named: Named | undefined = ref === undefined || commit === undefined ? undefined : { ref, commit }
  return named
})
