import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { Projects } from "../projects/Projects.ts"
import { branchCommit } from "../repositories/Code.ts"
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

/** The commit of a branch; undefined where there is no such branch, or no repository. */
export const tipOf = Effect.fnUntraced(function* ({ branch, projectId }: Branch) {
  const repositories = yield* Repositories
  return (yield* repositories.exists(projectId)) ? yield* branchCommit(repositories.of(projectId), branch) : undefined
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
