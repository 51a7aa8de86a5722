import { Effect } from "effect"
import { Contributors } from "../../git/contributors/Contributors.ts"
import type { BeingCounted, CountExceeded } from "../../git/contributors/limits.ts"
import type { Contributor } from "../../git/contributors/totals.ts"
import { Repositories } from "../../git/Repositories.ts"
import { serviceUnavailable, unprocessable, WireError } from "../../http/answer/errors.ts"
import { pageIn } from "../../http/answer/pagination.ts"
import { page } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { requireCode } from "../access.ts"
import { listContributors } from "../contract.ts"
import { commitOrDefault } from "../revision.ts"
import type { ContributorShape } from "../shapes.ts"

const keys: Readonly<Record<"name" | "email" | "commits", (contributor: Contributor) => string | number>> = {
  name: ({ name }) => name.toLowerCase(),
  email: ({ email }) => email.toLowerCase(),
  commits: ({ commits }) => commits
}

/** Contributors that are equal stay in the order of their addresses. */
const sorted = (all: ReadonlyArray<Contributor>, by: keyof typeof keys, isDescending: boolean): ReadonlyArray<Contributor> => {
  const [before, behind] = isDescending ? [1, -1] : [-1, 1]
  return all
    .map((contributor) => ({ contributor, key: keys[by](contributor) }))
    .sort(({ key: one }, { key: other }) => (one < other ? before : one > other ? behind : 0))
    .map(({ contributor }) => contributor)
}

const present = ({ additions, commits, deletions, email, name }: Contributor): typeof ContributorShape.Type => ({
  name,
  email,
  commits,
  additions,
  deletions
})

const noRevision = new WireError({ status: 404, body: { message: "404 Not Found" } })

/** A count that came to a limit is not asked for again, as after a 503: it fails until somebody pushes or raises the limit. */
export const refusalOf = (failure: BeingCounted | CountExceeded): WireError =>
  failure._tag === "BeingCounted"
    ? serviceUnavailable(`503 Service Unavailable - ${failure.message}`, failure.seconds)
    : unprocessable(failure.message)
const refuse = (failure: BeingCounted | CountExceeded) => Effect.fail(refusalOf(failure))

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
    const all = yield* Effect.catchTags(contributors.of(repository, named.commit), {
      BeingCounted: refuse,
      CountExceeded: refuse,
      GitFailed: Effect.die
    })
    const shown = pageIn(sorted(all, order_by, sort === "desc"), parameters)
    return page(shown.map(present), all.length)
  })
)
