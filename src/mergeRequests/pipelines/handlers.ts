import { Effect } from "effect"
import { invalidRecord, notFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { PipelineQueries, pipelineAggregate, presentDetail, presentReference } from "../../pipelines/Pipelines.ts"
import { nextId } from "../../platform/Ids.ts"
import { creates } from "../../platform/repeats.ts"
import { requireProject } from "../../projects/Projects.ts"
import { awaitMergeRequest } from "../awaitMergeRequest.ts"
import type { MergeRequestKey } from "../ids.ts"
import { notAllowed } from "../merging/merge.ts"
import { placeOf } from "../placeOf.ts"
import { MergeRequestQueries, type MergeRequestRow } from "../Queries.ts"
import { refresh } from "../reactions/refresh.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { createMergeRequestPipeline, listMergeRequestPipelines } from "./contract.ts"
import { makePipeline } from "./makePipeline.ts"

const list = route(
  listMergeRequestPipelines,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const projectIds = [...new Set([row.project_id, row.source_project_id])]
    const places = (yield* Effect.forEach(projectIds, (id) => placeOf(found, id, caller))).flatMap((place) => place ?? [])
    const queries = yield* MergeRequestQueries
    const filter = { mergeRequest: row, projectIds: places.map(({ project }) => project.id) }
    const { extent, rows } = yield* queries.pipelines(filter, pageOf(parameters))
    const shown = rows.flatMap((pipeline) => {
      const place = places.find(({ project }) => project.id === pipeline.project_id)
      return place === undefined ? [] : [presentReference(pipeline, { project: place.project, externalUrl: request.externalUrl })]
    })
    return page(shown, extent)
  })
)

/** The merge request as its branches are now. */
const upToDate = Effect.fnUntraced(function* (key: MergeRequestKey) {
  yield* Effect.ignore(refresh(key))
  yield* awaitMergeRequest(key)
  const row = yield* MergeRequestQueries.use((requests) => requests.find(key.projectId, key.iid))
  return row ?? (yield* notFound)
})

const hasCommits = ({ commits, verdict }: MergeRequestRow): boolean =>
  commits !== null && commits > 0 && verdict !== "no_commits" && verdict !== "branch_missing"

const post = route(
  createMergeRequestPipeline,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const { externalUrl } = request
    const found = yield* requireProject(input)
    const {
      iid,
      project_id: projectId,
      source_project_id: sourceId
    } = yield* requireMergeRequest(found, parameters.merge_request_iid)
    const make = Effect.gen(function* () {
      const row = yield* upToDate({ projectId, iid })
      if (!hasCommits(row)) return yield* notAllowed
      const id = yield* nextId("pipeline")
      const made = yield* makePipeline({ row, by: caller.user, id, serverUrl: externalUrl, isNew: true })
      return made._tag === "PipelineRefused" ? yield* invalidRecord({ base: made.texts }) : { ...made, id }
    })
    const created = yield* creates(pipelineAggregate, make)
    yield* awaitReadModels(created)
    const pipelines = yield* PipelineQueries
    for (const id of [projectId, sourceId]) {
      const [place, pipeline] = [yield* placeOf(found, id, caller), yield* pipelines.find(id, created.id)]
      if (place === undefined || pipeline === undefined) continue
      return ok(presentDetail(pipeline, yield* pipelines.spans(pipeline.id), { project: place.project, externalUrl }))
    }
    return yield* notFound
  })
)

export const pipelineRoutes = [list, post]
