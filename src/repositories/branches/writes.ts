import { Effect } from "effect"
import { readCommit } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import { branchRef, isBranchName } from "../../git/refs/refNames.ts"
import { type BranchTip, branchesMergedInto, refsContaining } from "../../git/refs/refs.ts"
import { accepted } from "../../http/answer/accepted.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { badRequest, forbidden, thingNotFound, WireError } from "../../http/answer/errors.ts"
import { noContent } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { matchesPattern } from "../../kernel/wildcards.ts"
import { makes } from "../../platform/repeats.ts"
import { can } from "../../projects/Projects.ts"
import { type Move, moveFromTip, type PushPolicy, policyOf, pushRefusals } from "../../pushes/Pushes.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { couldNotUpdate, isNewName, type MoveRef, moveRef, moveRefFromTip } from "../refs/moveRef.ts"
import { branchCommit, requireBranch } from "../refs/requireRef.ts"
import { commitOf, commitOrDefault } from "../revision.ts"
import { createBranch, deleteBranch, deleteMergedBranches } from "./contract.ts"
import { firstBranch } from "./firstBranch.ts"
import { answerBranch } from "./view.ts"

const badName = badRequest("Branch name is invalid")
const taken = badRequest("Branch already exists")
const noBranch = thingNotFound("Branch")
const isHead = new WireError({ status: 405, body: { message: "Cannot remove HEAD branch" } })
const isProtected = new WireError({ status: 403, body: { message: "You don't have push access to this branch" } })
const mayNotCreate = badRequest(pushRefusals.createProtectedBranch)

const isProtecting =
  ({ branches }: Pick<PushPolicy, "branches">) =>
  (name: string): boolean =>
    branches.some(({ pattern }) => matchesPattern(pattern, name))

/**
 * Whether the caller may create a branch: who may push to a protected branch may create it, and who may only merge to it may do so over
 * the interface, from a commit that is in a protected branch already.
 */
const mayCreate = Effect.fnUntraced(function* (repository: Repository, policy: PushPolicy, { commit, name }: BranchTip) {
  const rules = policy.branches.filter(({ pattern }) => matchesPattern(pattern, name))
  if (rules.length === 0 || rules.some(({ mayPush }) => mayPush)) return true
  if (!rules.some(({ mayMerge }) => mayMerge)) return false
  return (yield* Effect.orDie(refsContaining(repository, commit, "branch"))).some(isProtecting(policy))
})

type Creation = Input<typeof createBranch.parameters, "user"> & { readonly guarded: OpenRepository }

const noStart = ({ branch, ref }: Creation["parameters"]) =>
  badRequest(`Failed to create branch '${branch}': invalid reference name '${ref}'`)

/** Makes a branch and answers its commit. */
const created = Effect.fnUntraced(function* (creation: Creation, time: Effect.Effect<number>) {
  const { guarded, parameters } = creation
  const { branch: name, ref } = parameters
  const { principal, project, repository } = guarded
  if ((yield* branchCommit(repository, name)) !== undefined) return yield* taken
  const first = yield* firstBranch(creation)
  if (first?.name === name) return first.commit
  const commit = first?.commit ?? (yield* commitOf(project, ref)) ?? (yield* noStart(parameters))
  if (!(yield* mayCreate(repository, yield* policyOf(guarded, principal), { name, commit }))) return yield* mayNotCreate
  yield* time
  yield* moveRef(project.id, { name: branchRef(name), from: null, to: commit }, () => taken)
  return commit
})

const create = guardedRoute(
  createBranch,
  openRepository,
  Effect.fnUntraced(function* (input) {
    const { guarded, parameters, request } = input
    const { principal, project, repository } = guarded
    const name = parameters.branch
    if (!can("create_branch", principal, project)) return yield* forbidden
    if (!isNewName(name)) return yield* badName
    const commit = yield* makes(
      () => branchCommit(repository, name),
      (time) => created(input, time)
    )
    return yield* answerBranch(guarded, { name, commit }, request)
  })
)

/** The commit of a branch that may be deleted, with its name. */
const deletable = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, name: string | null) {
  const branch = yield* requireBranch(repository, name)
  return branch.name === (yield* commitOrDefault(project, null))?.ref ? yield* isHead : branch
})

type Removal = Input<typeof deleteBranch.parameters, "user"> & { readonly guarded: OpenRepository }

const removed = Effect.fnUntraced(function* (
  { guarded, parameters, request }: Removal,
  time: Effect.Effect<number>,
  move: MoveRef
) {
  const { commit, name } = yield* deletable(guarded, parameters.branch)
  const policy = yield* policyOf(guarded, guarded.principal)
  if (isProtecting(policy)(name) && !policy.isMaintainer) return yield* isProtected
  const authored = (yield* Effect.orDie(readCommit(guarded.repository, commit)))?.author.seconds ?? 0
  yield* requireUnmodified(authored * 1000, request)
  yield* time
  yield* move({ name: branchRef(name), from: commit, to: null })
  return noContent
})

const remove = guardedRoute(
  deleteBranch,
  openRepository,
  Effect.fnUntraced(function* (input) {
    const { principal, project, repository } = input.guarded
    if (!can("delete_branch", principal, project)) return yield* forbidden
    const name = input.parameters.branch ?? ""
    const lost = (at: string | null) => (at === null ? noBranch : couldNotUpdate(name))
    return yield* makes(
      () => Effect.map(branchCommit(repository, name), (at) => (at === undefined ? noContent : undefined)),
      (time) => moveRefFromTip(project.id, branchRef(name), { attempt: (move) => removed(input, time, move), lost })
    )
  })
)

/** Deletes what is merged and not protected. */
const deleteMerged = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, policy: PushPolicy, move: Move) {
  const into = yield* commitOrDefault(project, null)
  if (into === undefined) return
  const isKept = isProtecting(policy)
  const merged = (yield* branchesMergedInto(repository, into.commit)).filter(
    ({ commit, name }) => commit !== into.commit && name !== into.ref && isBranchName(name) && !isKept(name)
  )
  yield* move(merged.map(({ commit, name }) => ({ name: branchRef(name), from: commit, to: null })))
})

const removeMerged = guardedRoute(
  deleteMergedBranches,
  openRepository,
  Effect.fnUntraced(function* ({ guarded }) {
    const { project, principal } = guarded
    if (!can("delete_branch", principal, project)) return yield* forbidden
    const policy = yield* policyOf(guarded, principal)
    yield* Effect.orDie(moveFromTip(project.id, {}, (move) => deleteMerged(guarded, policy, move)))
    return accepted
  })
)

export const branchWrites = [create, remove, removeMerged]
