import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { invalidRecord, notFound, type WireError } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { noContent, ok, page } from "../http/answer/Reply.ts"
import type { ProjectReferenceRow } from "../http/answer/references.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { changes } from "../platform/repeats.ts"
import { clusterAggregate, type Refusal } from "./aggregate.ts"
import { addExistingCluster, changeClusterSettings, deleteCluster, listClusters, readCluster } from "./contract.ts"
import type { ClusterFault } from "./faults.ts"
import { additionOf, changeOf } from "./input.ts"
import { ManagementProjects } from "./ManagementProjects.ts"
import { presentChanged, presentCluster, presentFaults } from "./present.ts"
import { ClusterQueries, type ClusterRow } from "./Queries.ts"
import { addCluster, changeCluster, removeCluster } from "./writes.ts"

const invalid = (faults: ReadonlyArray<ClusterFault>): WireError => invalidRecord(presentFaults(faults))

const projectIsUnusable: ClusterFault = {
  attribute: "managementProject",
  text: "Project does not exist or you don't have permission to perform this action"
}

const requireProject = Effect.fnUntraced(function* (caller: Caller, id: number | null | undefined) {
  if (id === null || id === undefined) return
  const projects = yield* ManagementProjects
  if (!(yield* projects.mayUse(caller, id))) return yield* invalid([projectIsUnusable])
})

const refuse = <A, R>(written: Effect.Effect<A, Refusal, R>) =>
  Effect.catchTags(written, {
    ClusterInvalid: ({ faults }) => Effect.fail(invalid(faults)),
    ClusterMissing: () => Effect.fail(notFound),
    ClusterExists: (refusal) => Effect.die(refusal)
  })

const none: ReadonlyMap<number, ProjectReferenceRow> = new Map()

const requireRow = Effect.fnUntraced(function* (id: number | null) {
  const clusters = yield* ClusterQueries
  const row = id === null ? undefined : yield* clusters.find(id)
  return row ?? (yield* notFound)
})

const projectsOf = (rows: ReadonlyArray<ClusterRow>) => {
  const ids = rows.flatMap(({ management_project_id }) => management_project_id ?? [])
  return ids.length === 0 ? Effect.succeed(none) : ManagementProjects.use(({ find }) => find(ids))
}

const presentOne = Effect.fnUntraced(function* (id: number | null, externalUrl: string) {
  const row = yield* requireRow(id)
  return presentCluster(row, yield* projectsOf([row]), externalUrl)
})

const list = route(
  listClusters,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const { rows, total } = yield* ClusterQueries.use((clusters) => clusters.list(pageOf(parameters)))
    const projects = yield* projectsOf(rows)
    return page(
      rows.map((row) => presentCluster(row, projects, request.externalUrl)),
      total
    )
  })
)

const read = route(readCluster, ({ parameters, request }) =>
  Effect.map(presentOne(parameters.cluster_id, request.externalUrl), ok)
)

const add = route(
  addExistingCluster,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    yield* requireProject(caller, parameters.management_project_id)
    const { settings, authorizationType, token } = additionOf(parameters)
    const written = yield* refuse(addCluster({ settings, authorizationType, addedBy: caller.user.id }, token))
    yield* awaitReadModels(written)
    return ok(yield* presentOne(written.id, request.externalUrl))
  })
)

const change = route(
  changeClusterSettings,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const { id } = yield* requireRow(parameters.cluster_id)
    yield* requireProject(caller, parameters.management_project_id)
    const { changes, token } = changeOf(parameters)
    yield* awaitReadModels(yield* refuse(changeCluster(id, changes, token)))
    return ok(presentChanged(yield* presentOne(id, request.externalUrl)))
  })
)

const remove = route(
  deleteCluster,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const id = parameters.cluster_id ?? (yield* notFound)
    yield* changes(
      clusterAggregate,
      id,
      Effect.flatMap(requireRow(id), ({ updated_at }) => requireUnmodified(updated_at, request))
    )
    yield* awaitReadModels(yield* refuse(removeCluster(id)))
    return noContent
  })
)

export const clusterRoutes = [list, read, add, change, remove]
