import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { PipelineQueries, presentDetail as presentPipeline } from "../pipelines/Pipelines.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { mayUpdateRef, policyOf } from "../pushes/Pushes.ts"
import { ParticipationQueries } from "./participation/Queries.ts"
import { placeOf } from "./placeOf.ts"
import { type Extras, presentDetail } from "./present.ts"
import type { DescribedMergeRequestRow, MergeRequestRow } from "./Queries.ts"

/** Those of these branches to which the caller may push, and so merge into them. */
export const mergeableBranches = Effect.fnUntraced(function* (found: ReadableProject, names: ReadonlyArray<string>) {
  if (!can("push_code", found.principal, found.project)) return []
  const policy = yield* policyOf(found, found.principal)
  return names.filter((name) => mayUpdateRef(policy, { name, isTag: false }))
})

/** Whether the caller may merge into the target branch. */
export const mayMerge = (found: ReadableProject, { target_branch }: Pick<MergeRequestRow, "target_branch">) =>
  Effect.map(mergeableBranches(found, [target_branch]), ({ length }) => length > 0)

interface Viewing {
  readonly caller: Caller | undefined
  readonly request: Pick<RequestInfo, "externalUrl">
}

/** The newest pipeline of the last commit, null for none; undefined for who may not see pipelines. */
const pipelineOf = Effect.fnUntraced(function* (
  found: ReadableProject,
  row: MergeRequestRow,
  { caller, request: { externalUrl } }: Viewing
) {
  if (!can("read_pipelines", found.principal, found.project)) return undefined
  const { head_pipeline_id: id, head_pipeline_project_id: projectId } = row
  const place = projectId === null ? undefined : yield* placeOf(found, projectId, caller)
  if (id === null || place === undefined) return null
  const pipelines = yield* PipelineQueries
  const pipeline = yield* pipelines.find(place.project.id, id)
  if (pipeline === undefined) return null
  return presentPipeline(pipeline, yield* pipelines.spans(id), { project: place.project, externalUrl })
})

/** Nobody who comes without a token is subscribed. */
const isSubscribed = (row: MergeRequestRow, { caller }: Viewing) =>
  caller === undefined ? Effect.succeed(false) : ParticipationQueries.use((people) => people.isSubscribed(row, caller.user.id))

/** A merge request on its own, as the caller sees it. */
export const detailsOf = Effect.fnUntraced(function* (
  row: DescribedMergeRequestRow,
  found: ReadableProject,
  viewing: Viewing,
  more: Partial<Extras> = {}
) {
  const { caller, request } = viewing
  const [pipeline, may, subscribed] = yield* Effect.all(
    [pipelineOf(found, row, viewing), mayMerge(found, row), isSubscribed(row, viewing)],
    { concurrency: 3 }
  )
  const extras = { mayMerge: caller !== undefined && may, isSubscribed: subscribed, pipeline, ...more }
  return presentDetail(row, extras, { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis })
})
