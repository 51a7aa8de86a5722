import { Effect } from "effect"
import { headRef } from "../../git/merge/mergeRequestRefs.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { createPipeline, mayUse } from "../../pipelines/Pipelines.ts"
import { can, Projects, principalOf } from "../../projects/Projects.ts"
import { described } from "../described.ts"
import type { FoundMergeRequestRow } from "../Queries.ts"
import { originOf } from "./origin.ts"

export interface Making {
  readonly row: FoundMergeRequestRow
  readonly by: UserRow
  /** The id that the pipeline gets. One with this id that is there already stays as it is. */
  readonly id: number
  readonly serverUrl: string
  readonly isNew?: boolean
}

const refused = (...texts: ReadonlyArray<string>) => ({ _tag: "PipelineRefused" as const, reason: "notAllowed" as const, texts })
const insufficient = refused("Insufficient permissions to create a new pipeline")

/** The project, where the user may make a pipeline for the branch in it. */
const runnableIn = Effect.fnUntraced(function* (projectId: number, by: UserRow, branch: string) {
  const found = yield* Projects.use((projects) => projects.find(String(projectId), by.id))
  if (found === undefined) return undefined
  const { project, role } = found
  const principal = principalOf({ user: by }, role)
  if (!can("create_pipeline", principal, project)) return undefined
  return (yield* mayUse({ principal, project }, { name: branch, isTag: false })) ? project : undefined
})

/** Where the pipeline runs: in the project of the merge request, else in the fork. */
const placeFor = Effect.fnUntraced(function* ({ by, row }: Making) {
  const { iid, project_id: targetId, source_branch: branch, source_project_id: sourceId } = row
  const target = yield* runnableIn(targetId, by, branch)
  if (target !== undefined && (sourceId === targetId || target.ci_allow_fork_pipelines_to_run_in_parent_project))
    return { project: target, ref: headRef(iid) }
  const source = sourceId === targetId ? undefined : yield* runnableIn(sourceId, by, branch)
  return source && { project: source, ref: branchRef(branch) }
})

/** Makes a pipeline for the last version of a merge request, or tells why there is none. */
export const makePipeline = Effect.fnUntraced(function* (making: Making) {
  const { by, row, serverUrl, ...others } = making
  const { base_sha: baseSha, sha, version_id: versionId } = row
  const place = yield* placeFor(making)
  if (place === undefined || versionId === null || baseSha === null) return insufficient
  const mergeRequest = { origin: yield* originOf(yield* described(row), { id: versionId, baseSha }), sha }
  return yield* createPipeline({
    ...others,
    ...place,
    by,
    serverUrl,
    source: "merge_request_event",
    variables: [],
    mergeRequest
  })
})
