import { Clock, Effect } from "effect"
import type { Commit } from "../../git/objects/commit.ts"
import type { Objects } from "../../git/objects/Objects.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import type { TreeLimits } from "../../git/trees/TreeLimits.ts"
import type { TreesRefused } from "../../git/trees/TreesRefused.ts"
import { type ChangeConflicts, type ChangeIsEmpty, cherryPick, type Pick, revert } from "../../git/write/cherryPick.ts"
import { badRequest, WireError } from "../../http/answer/errors.ts"
import { type OtherReply, ok } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { projectUrl } from "../access.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { requireBranch } from "../refs/requireRef.ts"
import { cherryPickCommit, revertCommit } from "./contract.ts"
import { identityOf, signed } from "./identity.ts"
import { makeCommit } from "./makeCommit.ts"
import { cherryPickMessage, revertMessage } from "./messages.ts"
import { presentCommit } from "./present.ts"
import type { DryRun } from "./shapes.ts"
import { requirePush } from "./start.ts"
import { commitById, requireCommit } from "./view.ts"

/** A way to apply the change of a commit to a branch. */
interface PickKind {
  readonly apply: (
    repository: Repository,
    pick: Pick
  ) => Effect.Effect<string, ChangeConflicts | ChangeIsEmpty | TreesRefused | GitFailed, Objects | TreeLimits>
  readonly messageOf: (commit: Commit) => string
  /** The text for a change that does not apply. */
  readonly failed: string
}

const picking: PickKind = {
  apply: cherryPick,
  messageOf: cherryPickMessage,
  failed:
    "Sorry, we cannot cherry-pick this commit automatically. This commit may already have been cherry-picked, or a more recent commit may have updated some of its content."
}
const reverting: PickKind = {
  apply: revert,
  messageOf: revertMessage,
  failed:
    "Sorry, we cannot revert this commit automatically. This commit may already have been reverted, or a more recent commit may have updated some of its content."
}

type PickInput = Input<typeof revertCommit.parameters, "user"> & {
  readonly guarded: OpenRepository
  readonly message?: string | null | undefined
}

const tried: OtherReply<200, typeof DryRun.Type> = { status: 200, body: { dry_run: "success" } }

const change = Effect.fnUntraced(function* (kind: PickKind, { caller, guarded, message, parameters, request }: PickInput) {
  const { project, repository } = guarded
  const policy = yield* requirePush(guarded, parameters.branch)
  const commit = yield* requireCommit(guarded, parameters.sha)
  const { commit: tip, name: branch } = yield* requireBranch(repository, parameters.branch)
  const refused = (error_code: "conflict" | "empty") =>
    Effect.fail(
      new WireError({
        status: 400,
        body: { message: kind.failed, error_code, ...(parameters.dry_run && { dry_run: "error" }) }
      })
    )
  const committer = identityOf(caller, request)
  const write = (onto: string, seconds: number) =>
    kind
      .apply(repository, { commit, onto, committer: signed(committer, seconds), message: message || kind.messageOf(commit) })
      .pipe(
        Effect.catchTags({
          ChangeConflicts: () => refused("conflict"),
          ChangeIsEmpty: () => refused("empty"),
          TreesRefused: ({ message }) => Effect.fail(badRequest(message)),
          GitFailed: Effect.die
        })
      )
  if (parameters.dry_run) {
    yield* write(tip, Math.floor((yield* Clock.currentTimeMillis) / 1000))
    return tried
  }
  const id = yield* makeCommit(guarded, {
    branch,
    policy,
    start: Effect.map(requireBranch(repository, branch), ({ commit: onto }) => ({ tip: onto, parent: onto, isFromTip: true })),
    write: (parent = tip, seconds) => write(parent, seconds)
  })
  return ok(presentCommit(yield* commitById(guarded, id), projectUrl(project, request)))
})

export const cherryPickRoute = guardedRoute(cherryPickCommit, openRepository, (input) =>
  change(picking, { ...input, message: input.parameters.message })
)

export const revertRoute = guardedRoute(revertCommit, openRepository, (input) => change(reverting, input))
