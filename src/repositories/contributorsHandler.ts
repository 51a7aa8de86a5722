import { Effect } from "effect"
import { Contributors } from "../git/Contributors.ts"
import type { Contributor } from "../git/contributorTotals.ts"
import { Repositories } from "../git/Repositories.ts"
import { guardedRoute } from "../http/Endpoint.ts"
import { WireError } from "../http/errors.ts"
import { pageOf } from "../http/pagination.ts"
import { page } from "../http/Reply.ts"
import { requireCode } from "./access.ts"
import { listContributors } from "./contract.ts"
import { commitOrDefault } from "./revision.ts"
import type { ContributorShape } from "./shapes.ts"

type Compare = (one: Contributor, other: Contributor) => number

const byText =
  (key: "name" | "email"): Compare =>
  (one, other) => {
    const [left, right] = [one[key].toLowerCase(), other[key].toLowerCase()]
    return left < right ? -1 : left > right ? 1 : 0
  }

const orders: Readonly<Record<"name" | "email" | "commits", Compare>> = {
  name: byText("name"),
  email: byText("email"),
  commits: (one, other) => one.commits - other.commits
}

/** Contributors that are equal stay in the order of their addresses. */
const sorted = (all: ReadonlyArray<Contributor>, by: keyof typeof orders, isDescending: boolean): ReadonlyArray<Contributor> => {
  const compare = orders[by]
  return all.toSorted(isDescending ? (one, other) => compare(other, one) : compare)
}

const present = ({ additions, commits, deletions, email, name }: Contributor): typeof ContributorShape.Type => ({
  name,
  email,
  commits,
  additions,
  deletions
})

const noRevision = new WireError({ status: 404, body: { message: "404 Not Found" } })

export const contributorsRoute = guardedRoute(
  listContributors,
  requireCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const { order_by, ref, sort } = parameters
    const named = yield* commitOrDefault(project, ref)
    if (named === undefined) {
      // Gap: nobody has contributed to a repository without commits.
      return typeof ref === "string" ? yield* noRevision : page([], 0)
    }
    const repository = (yield* Repositories).of(project.id)
    const contributors = yield* Contributors
    const all = yield* Effect.orDie(contributors.of(repository, named.commit))
    const { limit, offset } = pageOf(parameters)
    const shown = sorted(all, order_by, sort === "desc").slice(offset, offset + limit)
    return page(shown.map(present), all.length)
  })
)
