import { Effect } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { branchRef, isBranchName, isTagName, tagRef } from "../../git/refs/refNames.ts"
import { readRef } from "../../git/refs/refs.ts"
import { badRequest, thingNotFound } from "../../http/answer/errors.ts"

const badBranch = badRequest("The branch refname is invalid")
const badTag = badRequest("The tag refname is invalid")
const noBranch = thingNotFound("Branch")
const noTag = thingNotFound("Tag")

/** The id of what a branch or tag names; undefined when there is none. */
const refAt = Effect.fnUntraced(function* (repository: Repository, ref: string) {
  return (yield* Effect.orDie(readRef(repository, ref)))?.id
})

/** The id of the commit of a branch; undefined when there is none, or the name is invalid. */
export const branchCommit = Effect.fnUntraced(function* (repository: Repository, name: string) {
  return isBranchName(name) ? yield* refAt(repository, branchRef(name)) : undefined
})

/** The id of what a tag names: of the tag object, when it is annotated. */
export const tagTarget = Effect.fnUntraced(function* (repository: Repository, name: string) {
  return isTagName(name) ? yield* refAt(repository, tagRef(name)) : undefined
})

/** Fails with 400 for what cannot be a name, with 404 where there is no such branch. */
export const requireBranch = Effect.fnUntraced(function* (repository: Repository, text: string | null) {
  const name = text ?? ""
  if (!isBranchName(name)) return yield* badBranch
  const commit = yield* branchCommit(repository, name)
  return commit === undefined ? yield* noBranch : { name, commit }
})

/** Finds a tag: fails with 400 for what cannot be a name, with 404 where there is no such tag. */
export const requireTag = Effect.fnUntraced(function* (repository: Repository, text: string | null) {
  const name = text ?? ""
  if (!isTagName(name)) return yield* badTag
  const target = yield* tagTarget(repository, name)
  return target === undefined ? yield* noTag : { name, target }
})
