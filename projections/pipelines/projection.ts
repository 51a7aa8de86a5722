import { readFileSync } from "node:fs"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { PipelineEvent, pipelineCodec } from "#src/pipelines/events.ts"
import { pipelineIdOf } from "#src/pipelines/ids.ts"
import { externalStage, isCompleted, type Status } from "#src/pipelines/Pipelines.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [pipelines, statuses] = ["pipelines", "statuses"]

/** When a job that has this status from now on started and ended. */
const timesAt = (at: number, status: Status) => ({
  ...(status === "running" && { started_at: at }),
  ...(isCompleted(status) && { finished_at: at })
})

const changes = (id: number, at: number, event: PipelineEvent): ReadonlyArray<Change> =>
  PipelineEvent.match(event, {
    PipelineCreated: ({ _tag, ...created }) => [
      idTaken("pipeline", id),
      put(pipelines, {
        id,
        ...snakeCased(created),
        status: "created",
        name: null,
        created_at: at,
        updated_at: at,
        started_at: null,
        finished_at: null
      })
    ],
    StatusPosted: ({ _tag, details, replaces, ...posted }) => [
      idTaken("job", posted.id),
      ...replaces.map((replaced) => patch(statuses, { id: replaced }, { is_replaced: true })),
      put(statuses, {
        ...snakeCased(posted),
        ...snakeCased(details),
        pipeline_id: id,
        stage: externalStage,
        is_replaced: false,
        created_at: at,
        started_at: null,
        finished_at: null,
        ...timesAt(at, posted.status)
      })
    ],
    StatusChanged: (changed) => [
      patch(
        statuses,
        { id: changed.id },
        { ...snakeCased(changed.details), status: changed.status, ...timesAt(at, changed.status) }
      )
    ],
    PipelineMoved: ({ isStart, status }) => [
      patch(
        pipelines,
        { id },
        { status, updated_at: at, ...(isStart && { started_at: at }), ...(isCompleted(status) && { finished_at: at }) }
      )
    ],
    PipelineRenamed: ({ name }) => [patch(pipelines, { id }, { name, updated_at: at })],
    PipelineDeleted: () => [remove(pipelines, { id }), removeWhere(statuses, { pipeline_id: id })]
  })

/** Pipelines with the statuses of their jobs. */
export const pipelinesReadModel: ReadModel = {
  name: "pipelines",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [pipelines]: ["id"], [statuses]: ["id"] },
  projections: [
    on(pipelineCodec, (event, { at, stream }) => {
      const id = pipelineIdOf(stream)
      return id === undefined ? [] : changes(id, at, event)
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      if (event._tag !== "ProjectDeleted" || projectId === undefined) return []
      return [removeWhere(pipelines, { project_id: projectId }), removeWhere(statuses, { project_id: projectId })]
    })
  ]
}
