import { Effect } from "effect"
import { branchRef } from "../../git/refs/refNames.ts"
import { hasBranches } from "../../git/refs/refs.ts"
import { badRequest } from "../../http/answer/errors.ts"
import type { Input } from "../../http/Endpoint.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { judge, policyOf } from "../../pushes/Pushes.ts"
import { writeActions } from "../commits/actions.ts"
import { makeCommit } from "../commits/makeCommit.ts"
import { requireStart } from "../commits/start.ts"
import type { OpenRepository } from "../openRepository.ts"
import { branchCommit } from "../refs/requireRef.ts"
import { defaultBranchOf } from "../revision.ts"
import type { createBranch } from "./contract.ts"

type Creation = Input<typeof createBranch.parameters, "user"> & { readonly guarded: OpenRepository }

const readme = { _tag: "create", path: "README.md", content: new Uint8Array() } as const
const commit_message = "Add README.md"

/** Whether a revision can only be the default branch, in a repository without branches. */
const isDefault = (ref: string, branch: string): boolean =>
  [branch, `heads/${branch}`, branchRef(branch), "HEAD", "@"].includes(ref)

/**
 * The default branch of a repository without branches, made with an empty README where a branch shall begin there: its commit. Undefined
 * where there are branches, or the branch shall begin elsewhere. Fails with 400 where the caller may not make it.
 */
export const firstBranch = Effect.fnUntraced(function* ({ caller, guarded, parameters: { ref }, request }: Creation) {
  const { principal, project, repository } = guarded
  const branch = yield* defaultBranchOf(project)
  if (branch === undefined || !isDefault(ref, branch)) return undefined
  if (yield* Effect.orDie(hasBranches(repository))) return undefined
  const policy = yield* policyOf(guarded, principal)
  const verdict = judge(policy, { ref: branchRef(branch), before: null, after: "1".repeat(40) })
  if (verdict._tag === "Refused") return yield* badRequest(verdict.text)
  const write = writeActions({ caller, guarded, parameters: { commit_message }, request }, [readme])
  const made = makeCommit(guarded, { branch, policy, start: requireStart(guarded, { branch }), write })
  // Somebody else may have made it at this moment.
  const orFound = Effect.catchTag(made, "WireError", (error) =>
    Effect.filterOrFail(
      branchCommit(repository, branch),
      (found) => found !== undefined,
      () => error
    )
  )
  return { name: branch, commit: yield* outsideRun(orFound) }
}, spanned("repositories.firstBranch"))
