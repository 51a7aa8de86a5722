import { Effect } from "effect"
import { branchRef, tagRef } from "../git/refs/refNames.ts"
import { invalidRecord, notFound } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok, page } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { type Input, route } from "../http/Endpoint.ts"
import { defined } from "../kernel/defined.ts"
import { handle } from "../platform/Commands.ts"
import { changes, creates } from "../platform/repeats.ts"
import { type ReadableProject, requireProject } from "../projects/Projects.ts"
import { commitOf } from "../repositories/Code.ts"
import { deploymentAggregate } from "./aggregate.ts"
import { changeDeployment, createDeployment as declaredDeployment, listDeployments, readDeployment } from "./contract.ts"
import { environmentRoutes } from "./environments/handlers.ts"
import { ensureEnvironment, startWhere } from "./environments/writes.ts"
import { environmentFaults } from "./names.ts"
import { presentDeployment } from "./present.ts"
import { DeploymentQueries } from "./Queries.ts"
import { createDeployment, deployedMergeRequests } from "./writes.ts"

const requireDeployment = Effect.fnUntraced(function* ({ project }: ReadableProject, id: number | null) {
  const row = id === null ? undefined : yield* DeploymentQueries.use((deployments) => deployments.find(project.id, id))
  return row ?? (yield* notFound)
})

const reading = "read_environments"
const deploying = "create_deployment"

const requireName = (name: string) => {
  const faults = environmentFaults(name, null)
  return faults.length === 0 ? Effect.void : Effect.fail(invalidRecord(presentFaults(faults)))
}

const deployments = route(
  listDeployments,
  Effect.fnUntraced(function* (input) {
    const { environment: name, order_by, sort, status, ...times } = input.parameters
    const { project } = yield* requireProject(input, reading)
    const chosen = defined({
      environment: name || undefined,
      status: status ?? undefined,
      updatedAfter: times.updated_after ?? undefined,
      updatedBefore: times.updated_before ?? undefined,
      finishedAfter: times.finished_after ?? undefined,
      finishedBefore: times.finished_before ?? undefined
    })
    const order = { by: order_by ?? "id", descending: sort === "desc" } as const
    const filter = { projectId: project.id, order, ...chosen }
    const listed = yield* DeploymentQueries.use((queries) => queries.list(filter, pageOf(input.parameters)))
    const { externalUrl } = input.request
    return page(
      listed.rows.map((row) => presentDeployment(row, externalUrl)),
      listed.extent
    )
  })
)

const deployment = route(
  readDeployment,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input, reading)
    return ok(presentDeployment(yield* requireDeployment(found, input.parameters.deployment_id), input.request.externalUrl))
  })
)

type Creation = Input<(typeof declaredDeployment)["parameters"], "user">

/** What is deployed has to be there. */
const requireDeployed = Effect.fnUntraced(function* ({ project }: ReadableProject, { parameters }: Creation) {
  const [name, ref] = [parameters.environment ?? "", parameters.ref ?? ""]
  const sha = yield* commitOf(project, parameters.sha ?? "")
  const isThere = (yield* commitOf(project, parameters.tag === true ? tagRef(ref) : branchRef(ref))) !== undefined
  if (sha === undefined || !isThere)
    return yield* invalidRecord(
      defined({
        sha: sha === undefined ? ["The commit does not exist"] : undefined,
        ref: isThere ? undefined : ["The branch or tag does not exist"]
      })
    )
  yield* requireName(name)
  return { ref, sha, isTag: parameters.tag === true, status: parameters.status ?? "running" }
})

const postDeployment = route(
  declaredDeployment,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input, deploying)
    const projectId = found.project.id
    const make = Effect.gen(function* () {
      const deployed = yield* requireDeployed(found, input)
      const [by, named] = [caller.user.id, { projectId, name: parameters.environment ?? "" }]
      const environmentId = yield* ensureEnvironment(named, by)
      yield* startWhere(deployed.status, { ...named, id: environmentId, by })
      const mergeRequestIids = yield* deployedMergeRequests({ projectId, environmentId, ...deployed })
      return yield* createDeployment({ projectId, environmentId, by, ...deployed, mergeRequestIids })
    })
    const made = yield* Effect.catchTags(creates(deploymentAggregate, make), {
      DeploymentExists: Effect.die,
      DeploymentMissing: Effect.die,
      DeploymentOver: Effect.die
    })
    yield* awaitReadModels(made)
    return ok(presentDeployment(yield* requireDeployment(found, made.id), request.externalUrl))
  })
)

const cannotEnd = (from: string, to: string) => invalidRecord({ status: [`cannot transition from ${from} to ${to}`] })

const putDeployment = route(
  changeDeployment,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input, deploying)
    const projectId = found.project.id
    const id = parameters.deployment_id ?? (yield* notFound)
    const status = parameters.status ?? "running"
    const make = Effect.gen(function* () {
      const row = yield* requireDeployment(found, id)
      const { environment: into, ref, sha } = row
      if (row.status === "running") yield* startWhere(status, { projectId, name: into.name, id: into.id, by: caller.user.id })
      const mergeRequestIids = yield* deployedMergeRequests({ projectId, environmentId: into.id, ref, sha, status })
      return yield* handle(deploymentAggregate, id, { _tag: "End", projectId, status, mergeRequestIids })
    })
    const ended = yield* Effect.catchTags(changes(deploymentAggregate, id, make), {
      DeploymentExists: Effect.die,
      DeploymentMissing: () => Effect.fail(notFound),
      DeploymentOver: (refusal) => Effect.fail(cannotEnd(refusal.status, status))
    })
    yield* awaitReadModels(ended)
    return ok(presentDeployment(yield* requireDeployment(found, id), request.externalUrl))
  })
)

export const deploymentRoutes = [...environmentRoutes, deployments, postDeployment, deployment, putDeployment]
