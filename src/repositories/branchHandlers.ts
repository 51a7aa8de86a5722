import { Effect, Result } from "effect"
import { type Branch, listBranches as list } from "../git/refs.ts"
import { guardedRoute } from "../http/Endpoint.ts"
import { badRequest } from "../http/errors.ts"
import { pageOf } from "../http/pagination.ts"
import { page, type Reply } from "../http/Reply.ts"
import { listBranches, readBranch } from "./branchContract.ts"
import { branchProtectRoutes } from "./branchProtectHandlers.ts"
import { answerBranch, presentBranches } from "./branchView.ts"
import { branchWrites } from "./branchWrites.ts"
import { openRepository } from "./openRepository.ts"
import { matching, searched } from "./refSearch.ts"
import { requireBranch } from "./requireBranch.ts"

const badRegex = badRequest("Regex is invalid")

type Sort = "name_asc" | "updated_asc" | "updated_desc"

/** Given by name, in which order those of the same time stay. */
const sorted = (branches: ReadonlyArray<Branch>, sort: Sort): ReadonlyArray<Branch> => {
  if (sort === "name_asc") return branches
  const sign = sort === "updated_asc" ? 1 : -1
  return branches.toSorted((one, other) => sign * (one.committedSeconds - other.committedSeconds))
}

const listRoute = guardedRoute(
  listBranches,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { regex, search, sort } = parameters
    const all = sorted(yield* Effect.orDie(list(guarded.repository)), sort)
    const found = searched(all, search)
    const kept = regex ? matching(found, regex) : Result.succeed(found)
    if (Result.isFailure(kept)) return yield* badRegex
    const { limit, offset } = pageOf(parameters)
    const shown = kept.success.slice(offset, offset + limit)
    return page(yield* presentBranches(guarded, shown, request), kept.success.length)
  })
)

const readRoute = guardedRoute(
  readBranch,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const branch = yield* requireBranch(guarded.repository, parameters.branch)
    const exists: Reply = { status: 204 }
    if (request.method === "HEAD") return exists
    return yield* answerBranch(guarded, branch, request)
  })
)

export const branchRoutes = [listRoute, readRoute, ...branchWrites, ...branchProtectRoutes]
