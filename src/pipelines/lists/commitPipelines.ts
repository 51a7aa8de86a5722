import { Effect, Layer } from "effect"
import { can } from "../../projects/Projects.ts"
import { CommitPipelines } from "../../repositories/CommitPipelines.ts"
import { presentReference } from "../present.ts"
import { PipelineQueries } from "../Queries.ts"

/** Tells commits of their pipelines. */
export const layerCommitPipelines: Layer.Layer<CommitPipelines, never, PipelineQueries> = Layer.effect(
  CommitPipelines,
  Effect.map(PipelineQueries, (pipelines) => ({
    last: Effect.fnUntraced(function* ({ principal, project }, sha, { externalUrl }) {
      const row = can("read_pipelines", principal, project) ? yield* pipelines.newest(project.id, { sha }) : undefined
      return row && { status: row.status, shown: presentReference(row, { project, externalUrl }) }
    })
  }))
)
