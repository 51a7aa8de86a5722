import { Effect, Result } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { type BranchTip, branchTips, listBranches as list } from "../../git/refs/refs.ts"
import { badRequest } from "../../http/answer/errors.ts"
import type { OtherReply } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { inSlices, sortInSlices } from "../../kernel/inSlices.ts"
import { openRepository } from "../openRepository.ts"
import { refPage } from "../refs/page.ts"
import { requireBranch } from "../refs/requireRef.ts"
import { matching, searched } from "../refs/search.ts"
import { listBranches, readBranch } from "./contract.ts"
import { branchProtectRoutes } from "./protectHandlers.ts"
import { answerBranch, presentBranches } from "./view.ts"
import { branchWrites } from "./writes.ts"

const isThere: OtherReply<204, undefined> = { status: 204, body: undefined }
const badRegex = badRequest("Regex is invalid")

type Sort = "name_asc" | "updated_asc" | "updated_desc"

/** Branches of the same time stay in the order of their names. */
const sorted = Effect.fnUntraced(function* (repository: Repository, sort: Sort) {
  if (sort === "name_asc") return yield* branchTips(repository)
  const sign = sort === "updated_asc" ? 1 : -1
  const branches: ReadonlyArray<BranchTip> = yield* sortInSlices(
    yield* list(repository),
    (one, other) => sign * (one.committedSeconds - other.committedSeconds)
  )
  return branches
}, Effect.orDie)

const listRoute = guardedRoute(
  listBranches,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { regex, search, sort } = parameters
    const found: ReadonlyArray<BranchTip> = yield* searched(yield* sorted(guarded.repository, sort), search)
    const matched = regex ? yield* inSlices(matching(found, regex)) : Result.succeed(found)
    if (Result.isFailure(matched)) return yield* badRegex
    const { pages, shown } = yield* refPage("heads", matched.success, parameters)
    return { body: yield* presentBranches(guarded, shown, request), ...pages }
  })
)

const readRoute = guardedRoute(
  readBranch,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const branch = yield* requireBranch(guarded.repository, parameters.branch)
    if (request.method === "HEAD") return isThere
    return yield* answerBranch(guarded, branch, request)
  })
)

export const branchRoutes = [listRoute, readRoute, ...branchWrites, ...branchProtectRoutes]
