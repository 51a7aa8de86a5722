import { Effect } from "effect"
import { commitsSince } from "../git/history/commitsSince.ts"
import { mergeBase } from "../git/history/mergeBase.ts"
import { Repositories } from "../git/Repositories.ts"
import { handle } from "../platform/Commands.ts"
import { nextId, nextNumber } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { type Create, deploymentAggregate } from "./aggregate.ts"
import type { Status } from "./events.ts"
import { DeploymentQueries } from "./Queries.ts"

/** A deployment brings so many commits, and so many merge requests, at most. */
const maxDeployed = 1_000

interface Deployed {
  readonly projectId: number
  readonly environmentId: number
  readonly sha: string
  readonly ref: string
  readonly status: Status
}

const commitsBetween = Effect.fnUntraced(function* (projectId: number, start: string, head: string) {
  const repository = (yield* Repositories).of(projectId)
  const base = yield* Effect.orDie(mergeBase(repository, [start, head]))
  if (base === null) return [head]
  return (yield* Effect.orDie(commitsSince(repository, { base, start, head, limit: maxDeployed }))).ids
})

/** The merge requests that come into an environment by a deployment that succeeds: those of the commits since the last one, or of its branch. */
export const deployedMergeRequests = Effect.fnUntraced(function* ({ environmentId, projectId, ref, sha, status }: Deployed) {
  if (status !== "success") return []
  const { lastSha, mergedInto, mergedWith } = yield* DeploymentQueries
  const last = yield* lastSha(environmentId)
  if (last === undefined) return yield* mergedInto(projectId, ref, maxDeployed)
  return yield* mergedWith(projectId, yield* commitsBetween(projectId, last, sha), maxDeployed)
})

/** Notes a deployment under the next number of its project. */
export const createDeployment = Effect.fnUntraced(function* (created: Omit<Create, "_tag" | "iid">) {
  const { highestNumber } = yield* DeploymentQueries
  const id = yield* nextId("deployment")
  const iid = yield* nextNumber("deployment", created.projectId, highestNumber)
  const handled = yield* handle(deploymentAggregate, id, { _tag: "Create", iid, ...created })
  return { ...handled, id }
}, spanned("deployments.create"))
