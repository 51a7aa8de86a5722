import type { Verdict } from "../git/http/access.ts"
import type { RefUpdate } from "../git/refs/pushedRefs.ts"
import {
  branchOf,
  isBranchName,
  isMisleading,
  isOwnRef,
  isRefName,
  isTagName,
  looksLikeCommit,
  tagOf
} from "../git/refs/refNames.ts"
import { matchesPattern } from "../kernel/wildcards.ts"

/** What a caller may do with the branches of a pattern that are protected. */
export interface BranchRule {
  /** The name of a branch without `refs/heads/`; `*` stands for any text, slashes included. */
  readonly pattern: string
  readonly mayPush: boolean
  /** Whether the caller may merge; it only chooses the text for a caller who may not push. */
  readonly mayMerge: boolean
  /** Whether everybody who may push by any rule may force. */
  readonly mayForce: boolean
  readonly mayDelete: boolean
}

/** What a caller may do with the protected tags of a pattern, which are never changed. */
export interface TagRule {
  /** The pattern like that of a branch, without `refs/tags/`. */
  readonly pattern: string
  readonly mayCreate: boolean
  readonly mayDelete: boolean
}

/** What one caller may push to one repository. Where several rules match a ref, what one of them allows is allowed. */
export interface PushPolicy {
  /** Whether anything may move but the branches of `collaborations`. */
  readonly mayPush: boolean
  /** Branches which the caller may move, but neither make nor delete, where they may not push otherwise. */
  readonly collaborations: ReadonlyArray<string>
  /** Whether the caller is at least a Maintainer; it only chooses texts. */
  readonly isMaintainer: boolean
  /** The default branch without `refs/heads/`; undefined when none has to stay. */
  readonly defaultBranch: string | undefined
  /** The reason why no branch may be made: there is none yet, and others have to make the first one. */
  readonly noNewBranch: string | undefined
  /** Whether the caller may move and delete tags that no rule matches. */
  readonly mayChangeTags: boolean
  readonly branches: ReadonlyArray<BranchRule>
  readonly tags: ReadonlyArray<TagRule>
}

const allowed: Verdict = { _tag: "Allowed" }
const refused = (text: string): Verdict => ({ _tag: "Refused", text })

/** The texts of the reference. */
export const pushRefusals = {
  push: "You are not allowed to push code to this project.",
  protectedBranch: "You are not allowed to push code to protected branches on this project.",
  createProtectedBranch: "You are not allowed to create protected branches on this project.",
  createProtectedBranchByGit: "You can only create protected branches using the web interface and API.",
  forceProtectedBranch: "You are not allowed to force push code to a protected branch on this project.",
  deleteDefaultBranch: "The default branch of a project cannot be deleted.",
  deleteProtectedBranch:
    "You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.",
  deleteProtectedBranchByGit: "You can only delete protected branches using the web interface.",
  branchNamedAsCommit: "You cannot create a branch with a SHA-1 or SHA-256 branch name.",
  branchName: "You cannot create a branch with an invalid name.",
  changeTags: "You are not allowed to change existing tags on this project.",
  updateProtectedTag: "Protected tags cannot be updated.",
  createProtectedTag: "You are not allowed to create this tag as it is protected.",
  deleteProtectedTag:
    "You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.",
  deleteProtectedTagByGit: "You can only delete protected tags using the web interface.",
  tagNamedAsCommit: "You cannot create a tag with a SHA-1 or SHA-256 tag name.",
  tagName: "You cannot create a tag with a prohibited pattern.",
  refName: "You cannot create a ref with an invalid name.",
  /** The text of git for refs that only the service moves. */
  hidden: "deny updating a hidden ref"
} as const

const replacement = "\u{fffd}"

const judgeBranch = (policy: PushPolicy, name: string, { after, before }: RefUpdate): Verdict => {
  const rules = policy.branches.filter(({ pattern }) => matchesPattern(pattern, name))
  if (after === null) return judgeBranchDeletion(policy, name, rules)
  if (before === null && looksLikeCommit(name)) return refused(pushRefusals.branchNamedAsCommit)
  if (before === null && (!isBranchName(name) || isMisleading(name))) return refused(pushRefusals.branchName)
  if (before === null && policy.noNewBranch !== undefined) return refused(policy.noNewBranch)
  if (rules.length === 0) return allowed
  const mayPush = rules.some((rule) => rule.mayPush)
  if (before === null) return mayPush ? allowed : refused(creationRefusal(rules))
  const mayForce = rules.some((rule) => rule.mayForce)
  if (mayPush && mayForce) return allowed
  const otherwise = pushRefusals.forceProtectedBranch
  if (mayPush) return { _tag: "AllowedForward", otherwise }
  return { _tag: "Refused", text: pushRefusals.protectedBranch, ...(mayForce ? {} : { otherwise }) }
}

const creationRefusal = (rules: ReadonlyArray<BranchRule>): string =>
  rules.some(({ mayMerge }) => mayMerge) ? pushRefusals.createProtectedBranchByGit : pushRefusals.createProtectedBranch

const judgeBranchDeletion = (policy: PushPolicy, name: string, rules: ReadonlyArray<BranchRule>): Verdict => {
  if (name === policy.defaultBranch) return refused(pushRefusals.deleteDefaultBranch)
  if (rules.length === 0 || rules.some(({ mayDelete }) => mayDelete)) return allowed
  return refused(policy.isMaintainer ? pushRefusals.deleteProtectedBranchByGit : pushRefusals.deleteProtectedBranch)
}

const judgeTag = (policy: PushPolicy, name: string, { after, before }: RefUpdate): Verdict => {
  const rules = policy.tags.filter(({ pattern }) => matchesPattern(pattern, name))
  if (before !== null && rules.length === 0) return policy.mayChangeTags ? allowed : refused(pushRefusals.changeTags)
  if (after === null) {
    if (rules.some(({ mayDelete }) => mayDelete)) return allowed
    return refused(policy.isMaintainer ? pushRefusals.deleteProtectedTagByGit : pushRefusals.deleteProtectedTag)
  }
  if (before !== null) return refused(pushRefusals.updateProtectedTag)
  if (looksLikeCommit(name)) return refused(pushRefusals.tagNamedAsCommit)
  if (!isTagName(name) || isMisleading(name)) return refused(pushRefusals.tagName)
  return rules.length === 0 || rules.some(({ mayCreate }) => mayCreate) ? allowed : refused(pushRefusals.createProtectedTag)
}

/** Whether a branch or tag is protected. */
export const isProtectedRef = (
  { branches, tags }: PushPolicy,
  { isTag, name }: { readonly name: string; readonly isTag: boolean }
): boolean => (isTag ? tags : branches).some(({ pattern }) => matchesPattern(pattern, name))

/** Whether the caller may push or merge to a branch, or make a tag; where they may not, its pipelines are not theirs to touch. */
export const mayUpdateRef = (
  { branches, tags }: PushPolicy,
  { isTag, name }: { readonly isTag: boolean; readonly name: string }
): boolean => {
  const rights = isTag
    ? tags.filter(({ pattern }) => matchesPattern(pattern, name)).map(({ mayCreate }) => mayCreate)
    : branches.filter(({ pattern }) => matchesPattern(pattern, name)).map(({ mayMerge, mayPush }) => mayPush || mayMerge)
  return rights.length === 0 || rights.includes(true)
}

/** A branch or tag to a disk that does not tell letters apart by their case. */
const disguised = /^refs\/(?:heads|tags)\//i

const judgeOther = ({ after, ref }: RefUpdate): Verdict => {
  if (!ref.startsWith("refs/") || isOwnRef(ref)) return refused(pushRefusals.hidden)
  return after !== null && (!isRefName(ref) || disguised.test(ref)) ? refused(pushRefusals.refName) : allowed
}

/** Whether a push may move a ref. */
export const judge = (policy: PushPolicy, update: RefUpdate): Verdict => {
  const { ref } = update
  const [branch, tag] = [branchOf(ref), tagOf(ref)]
  const isMoved = branch !== undefined && update.before !== null && update.after !== null
  if (!policy.mayPush && !(isMoved && policy.collaborations.includes(branch))) return refused(pushRefusals.push)
  // A ref with bytes that are not UTF-8 could not be named later.
  if (ref.includes(replacement)) return refused(pushRefusals.branchName)
  if (branch !== undefined) return judgeBranch(policy, branch, update)
  return tag === undefined ? judgeOther(update) : judgeTag(policy, tag, update)
}
