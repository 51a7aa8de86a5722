import { Effect } from "effect"
import { pageOf } from "../../http/answer/pagination.ts"
import { page } from "../../http/answer/Reply.ts"
import { lateGuardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import { presentListed } from "../present.ts"
import { type PipelineFilter, PipelineQueries } from "../Queries.ts"
import { inProject } from "../requirePipeline.ts"
import { listPipelines } from "./contract.ts"
import { filterBy } from "./filters.ts"

type ListParameters = Decoded<(typeof listPipelines)["parameters"]>

const filterOf = (projectId: number, parameters: ListParameters): PipelineFilter => ({
  projectId,
  ...filterBy(parameters),
  ...defined({
    // The schedules' own list calls it so.
    source: parameters.source === "scheduled" ? "schedule" : (parameters.source ?? undefined),
    ref: parameters.ref ?? undefined,
    sha: parameters.sha ?? undefined,
    name: parameters.name ?? undefined,
    username: parameters.username ?? undefined,
    yamlErrors: parameters.yaml_errors ?? undefined
  }),
  order: { by: parameters.order_by, descending: parameters.sort === "desc" }
})

export const listRoute = lateGuardedRoute(
  listPipelines,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded: { project }, parameters, request: { externalUrl } }) {
    const { rows, extent } = yield* PipelineQueries.use((pipelines) =>
      pipelines.list(filterOf(project.id, parameters), pageOf(parameters))
    )
    return page(
      rows.map((row) => presentListed(row, { project, externalUrl })),
      extent
    )
  })
)
