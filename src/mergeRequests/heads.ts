import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import type { GitFailed } from "../git/Repository.ts"
import { branchRef, isBranchName } from "../git/refs/refNames.ts"
import { readRef } from "../git/refs/refs.ts"
import { Projects } from "../projects/Projects.ts"
import type { MergeRequest } from "./decisions/state.ts"
import type { Source } from "./events.ts"
import type { MergeRequestKey } from "./ids.ts"

/** The branches of a merge request, and where they lead; undefined for a branch that is not there. */
export interface Heads {
  readonly source: string | undefined
  readonly target: string | undefined
}

export interface BothHeads {
  readonly source: string
  readonly target: string
}

export const hasBoth = (heads: Heads): heads is BothHeads => heads.source !== undefined && heads.target !== undefined

export const areSame = (some: Heads, others: Heads): boolean => some.source === others.source && some.target === others.target

interface Branch {
  readonly projectId: number
  readonly branch: string
}

/** The commit of a branch; undefined where there is no such branch, or no repository, which is looked at only where reading fails. */
export const tipOf = Effect.fnUntraced(function* ({ branch, projectId }: Branch) {
  if (!isBranchName(branch)) return undefined
  const { exists, of } = yield* Repositories
  const failed = (failure: GitFailed) =>
    Effect.flatMap(exists(projectId), (isThere) => (isThere ? Effect.die(failure) : Effect.undefined))
  return (yield* Effect.catchTag(readRef(of(projectId), branchRef(branch)), "GitFailed", failed))?.id
})

/** Where both branches lead now. */
export const headsOf = (source: Source, target: Branch) =>
  Effect.map(
    Effect.all([tipOf(source), tipOf(target)], { concurrency: 2 }),
    ([ofSource, ofTarget]): Heads => ({ source: ofSource, target: ofTarget })
  )

/** Whether a fork is there; one that was deleted may have its repository for a moment still. */
const hasFork = (projectId: number) =>
  Effect.map(
    Projects.use((projects) => projects.find(String(projectId), undefined)),
    (found) => found !== undefined
  )

/** Where the branches of a merge request lead now. */
export const headsNow = Effect.fnUntraced(function* ({ attributes, source }: MergeRequest, { projectId }: MergeRequestKey) {
  const heads = yield* headsOf(source, { projectId, branch: attributes.targetBranch })
  const isThere = heads.source === undefined || source.projectId === projectId || (yield* hasFork(source.projectId))
  return isThere ? heads : { ...heads, source: undefined }
})
