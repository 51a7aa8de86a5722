import { Effect, Layer } from "effect"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { RecordedRefs } from "#src/pushes/Pushes.ts"

/** Answers where refs are, from the read model `pushes`. */
export const pushQueries: Layer.Layer<RecordedRefs, never, Sql> = Layer.effect(
  RecordedRefs,
  Effect.map(Sql, ({ client }) => ({
    of: (projectId) =>
      Effect.map(
        query(
          () => client<Array<{ ref: string; id: string }>>`select ref, id from rm_pushes.refs where project_id = ${projectId}`
        ),
        (rows) => new Map(rows.map(({ id, ref }) => [ref, id]))
      ),
    has: (projectId, ref) =>
      Effect.map(
        query(() => client`select from rm_pushes.refs where project_id = ${projectId} and ref = ${ref}`),
        ({ length }) => length > 0
      )
  }))
)
