import { Effect } from "effect"
import { mergeBase } from "../../git/history/mergeBase.ts"
import { readCommit } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import { badRequest, thingNotFound } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { projectUrl, requireCode } from "../access.ts"
import { presentCommit } from "../commits/present.ts"
import { findMergeBase } from "../contract.ts"
import { commitOf } from "../revision.ts"

const tooFew = badRequest("Provide at least 2 refs")
/** Gap: refs at most, which the reference does not limit. */
const maxRefs = 1000
const tooMany = badRequest(`Provide at most ${maxRefs} refs`)
const unknown = (refs: ReadonlyArray<string>) =>
  badRequest(`Could not find ${refs.length === 1 ? "ref" : "refs"}: ${refs.join(", ")}`)
const noMergeBase = thingNotFound("Merge Base")

export const mergeBaseRoute = guardedRoute(
  findMergeBase,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters: { refs }, request }) {
    if (refs.length < 2) return yield* tooFew
    if (refs.length > maxRefs) return yield* tooMany
    const found = yield* Effect.forEach(refs, (ref) => commitOf(project, ref), { concurrency: 20 })
    const missing = [...new Set(refs.filter((_, index) => found[index] === undefined))]
    const [first, second, ...others] = found.filter((commit) => commit !== undefined)
    if (missing.length > 0 || first === undefined || second === undefined) return yield* unknown(missing)
    const repository = (yield* Repositories).of(project.id)
    const base = (yield* Effect.orDie(mergeBase(repository, [first, second, ...others]))) ?? (yield* noMergeBase)
    const commit = (yield* Effect.orDie(readCommit(repository, base))) ?? (yield* noMergeBase)
    return ok(presentCommit(commit, projectUrl(project, request)))
  })
)
