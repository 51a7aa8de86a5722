import { Effect } from "effect"
import { isObjectId } from "../../git/objectId.ts"
import { Repositories } from "../../git/Repositories.ts"
import { hasBranches } from "../../git/refs/refs.ts"
import { copyCommit } from "../../git/write/copyCommit.ts"
import { badRequest, forbiddenBecause } from "../../http/answer/errors.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { mayPushTo, type PushPolicy, policyOf, withCollaborations } from "../../pushes/Pushes.ts"
import type { OpenRepository } from "../openRepository.ts"
import { isNewName } from "../refs/moveRef.ts"
import { branchCommit } from "../refs/requireRef.ts"
import { commitOf } from "../revision.ts"

/** The branch of a commit, and where it starts. */
export interface Destination {
  readonly branch: string
  /** The start; the default is the branch itself. */
  readonly startBranch?: string | undefined
  readonly startSha?: string | undefined
  /** The project of the start, when it is another one. */
  readonly startProject?: ProjectRow | undefined
  /** A branch that is there may begin anew. */
  readonly isForced?: boolean
}

/** The full ids at which a commit starts. */
export interface Start {
  /** The commit of the branch; null when there is none. */
  readonly tip: string | null
  /** The parent of the commit; undefined for the first commit of a repository. */
  readonly parent: string | undefined
  /** Whether that is wherever the branch is, so that the commit may as well go on from where others moved it meanwhile. */
  readonly isFromTip: boolean
}

const mayNotPush = forbiddenBecause("You are not allowed to push into this branch")
const noStart = badRequest("You can only create or edit files when you are on a branch")
const isTaken = (branch: string) =>
  badRequest(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
const isNoName = (branch: string) =>
  badRequest(`Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`)

/** Whether the caller may commit to a branch. `before`: where it is. That there cannot be one of the name is told later. */
export const mayCommitTo = (policy: PushPolicy, branch: string, before: string | null): boolean =>
  before === null && !isNewName(branch) ? policy.mayPush : mayPushTo(policy, branch, before)

/** What the caller may push. Fails where they may not commit to the branch. */
export const requirePush = Effect.fnUntraced(function* (open: OpenRepository, branch: string) {
  const own = yield* policyOf(open, open.principal)
  const policy = yield* withCollaborations(own, open.project.id, open.caller?.user)
  const before = (yield* branchCommit(open.repository, branch)) ?? null
  return mayCommitTo(policy, branch, before) ? policy : yield* mayNotPush
})

const isElsewhere = ({ branch, startBranch, startProject, startSha }: Destination): boolean =>
  startProject !== undefined || startSha !== undefined || (startBranch !== undefined && startBranch !== branch)

/** The commit that a new branch begins at, brought here if it lies in another project. */
const startOf = Effect.fnUntraced(function* ({ project, repository }: OpenRepository, destination: Destination) {
  const { branch, startBranch = branch, startProject = project, startSha } = destination
  const from = (yield* Repositories).of(startProject.id)
  if (startSha !== undefined && !isObjectId(startSha)) return yield* badRequest(`Invalid start_sha '${startSha}'`)
  const start = startSha === undefined ? yield* branchCommit(from, startBranch) : yield* commitOf(startProject, startSha)
  if (start === undefined) return yield* startSha === undefined ? noStart : badRequest(`Cannot find start_sha '${startSha}'`)
  if (startProject.id !== project.id) yield* Effect.orDie(copyCommit(repository, from, start))
  return start
})

/** Finds where a commit starts. Fails with 400 and the text of the reference. */
export const requireStart = Effect.fnUntraced(function* (open: OpenRepository, destination: Destination) {
  const { branch, isForced = false } = destination
  const tip = (yield* branchCommit(open.repository, branch)) ?? null
  const isEmpty = tip === null && !(yield* Effect.orDie(hasBranches(open.repository)))
  const begins = isEmpty ? undefined : yield* startOf(open, destination)
  if (tip !== null && isElsewhere(destination) && !isForced) return yield* isTaken(branch)
  if (tip === null && !isNewName(branch)) return yield* isNoName(branch)
  const start: Start = { tip, parent: begins, isFromTip: !isElsewhere(destination) }
  return start
})
