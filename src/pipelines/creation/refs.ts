import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { branchOf, branchRef, tagOf, tagRef } from "../../git/refs/refNames.ts"
import { forbidden } from "../../http/answer/errors.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { mayUpdateRef, policyOf } from "../../pushes/Pushes.ts"
import { branchCommit, tagTarget } from "../../repositories/Code.ts"
import type { PipelineRow } from "../Queries.ts"

/** A branch or tag by its short name. */
export interface Target {
  readonly name: string
  readonly isTag: boolean
}

/** The branch or tag of a full name. */
export const targetOf = (fullName: string): Target => {
  const tag = tagOf(fullName)
  return tag === undefined ? { name: branchOf(fullName) ?? fullName, isTag: false } : { name: tag, isTag: true }
}

const fullName = /^refs\/(?:heads|tags)\/\S/

/** Whether a pipeline is for a ref of a merge request, which is called by its full name. */
export const isFullName = (ref: string): boolean => ref.startsWith("refs/")

/** The full name of the ref of a pipeline. */
export const fullNameOf = ({ isTag, ref }: { readonly isTag: boolean; readonly ref: string }): string => {
  if (isFullName(ref)) return ref
  return isTag ? tagRef(ref) : branchRef(ref)
}

/** The branch or tag that a text names in full, whether or not there is one; undefined for a short name. */
export const fullyNamed = (text: string): Target | undefined => (fullName.test(text) ? targetOf(text) : undefined)

/** Which of a tag and a branch there are with a short name. */
const named = Effect.fnUntraced(function* ({ project }: ReadableProject, name: string) {
  const repositories = yield* Repositories
  if (!(yield* repositories.exists(project.id))) return { isTag: false, isBranch: false }
  const repository = repositories.of(project.id)
  const [tag, branch] = [yield* tagTarget(repository, name), yield* branchCommit(repository, name)]
  return { isTag: tag !== undefined, isBranch: branch !== undefined }
})

/** A ref as somebody named it. */
export interface NamedRef {
  /** What protections are looked for by: a tag where there is one of that name. */
  readonly target: Target
  /** The full name; undefined for a short one that both a branch and a tag have, or neither. */
  readonly ref: string | undefined
  /** Whether a branch and a tag have the short name. */
  readonly isAmbiguous: boolean
}

/** A full name is taken as it is, whether or not there is such a branch or tag. */
export const nameRef = Effect.fnUntraced(function* (found: ReadableProject, text: string) {
  const target = fullyNamed(text)
  if (target !== undefined) return { target, ref: text, isAmbiguous: false } satisfies NamedRef as NamedRef
  const { isBranch, isTag } = yield* named(found, text)
  const ref: NamedRef = {
    target: { name: text, isTag },
    ref: isTag === isBranch ? undefined : isTag ? tagRef(text) : branchRef(text),
    isAmbiguous: isTag && isBranch
  }
  return ref
})

/** Whether the caller may push or merge to the branch, or make the tag. */
export const mayUse = Effect.fnUntraced(function* (found: Pick<ReadableProject, "principal" | "project">, target: Target) {
  return mayUpdateRef(yield* policyOf(found, found.principal), target)
})

/** Refuses those from whom the branch or tag of the pipeline is protected. */
export const requireRefRights = Effect.fnUntraced(function* (
  found: ReadableProject,
  { is_tag: isTag, ref: name }: Pick<PipelineRow, "is_tag" | "ref">
) {
  if (!(yield* mayUse(found, { name, isTag }))) return yield* forbidden
})
