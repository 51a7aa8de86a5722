import { Effect } from "effect"
import { commitsSince } from "../git/history/commitsSince.ts"
import { mergeBase } from "../git/history/mergeBase.ts"
import { Repositories } from "../git/Repositories.ts"
import { handle } from "../platform/Commands.ts"
import { nextId, nextNumber } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { outsideRun } from "../platform/repeats/repeats.ts"
import { type Create, deploymentAggregate } from "./aggregate.ts"
import { environmentAggregate } from "./environments/aggregate.ts"
import type { Status, Tier } from "./events.ts"
import { type EnvironmentName, environmentKey, slugOf, tierOf } from "./names.ts"
import { DeploymentQueries } from "./Queries.ts"

/** A deployment brings so many commits, and so many merge requests, at most. */
const maxDeployed = 1_000

export interface NewEnvironment extends EnvironmentName {
  readonly by: number
  readonly externalUrl: string | null
  readonly tier?: Tier
}

/** Creates an environment. */
export const createEnvironment = Effect.fnUntraced(function* ({ by, externalUrl, name, projectId, tier }: NewEnvironment) {
  const id = yield* nextId("environment")
  const settings = { name, slug: slugOf(name), externalUrl, tier: tier ?? tierOf(name) }
  const handled = yield* handle(environmentAggregate, environmentKey({ projectId, name }), {
    _tag: "Create",
    id,
    by,
    ...settings
  })
  return { ...handled, id }
}, spanned("deployments.createEnvironment"))

/** The id of the environment of a name, made where it is not there: a repeat finds what was made. */
export const ensureEnvironment = (named: EnvironmentName, by: number) =>
  createEnvironment({ ...named, by, externalUrl: null }).pipe(
    Effect.map(({ id }) => id),
    Effect.catchTags({
      EnvironmentExists: ({ id }) => Effect.succeed(id),
      EnvironmentMissing: Effect.die,
      EnvironmentAvailable: Effect.die
    }),
    outsideRun
  )

interface Order extends EnvironmentName {
  readonly id: number
  readonly by: number
}

/** What succeeds makes a stopped environment available. One that is deleted meanwhile stays so, and so does what is deployed there. */
export const startWhere = (status: Status, { by, id, ...named }: Order) =>
  status === "success"
    ? handle(environmentAggregate, environmentKey(named), { _tag: "Start", id, by }).pipe(
        Effect.catchTags({
          EnvironmentExists: Effect.die,
          EnvironmentMissing: () => Effect.void,
          EnvironmentAvailable: Effect.die
        }),
        outsideRun
      )
    : Effect.void

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
