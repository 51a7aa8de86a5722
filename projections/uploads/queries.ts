import { Effect, Layer } from "effect"
import { raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { UploadQueries, type UploadRow } from "#src/uploads/Queries.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { referenceById } from "../users/references.ts"

const columns = raw(`u.id, u.secret, u.name, u.bytes, u.sha256, u.created_at, ${referenceById("u.user_id")} as user`)

const listing = (projectId: number): Listing => {
  const found = sql`select u.* from rm_uploads.uploads u where u.project_id = ${projectId}`
  return {
    rows: (page) => sql`select ${columns} from (${found} order by u.id desc ${slice(page)}) u order by u.id desc`,
    counted: found
  }
}

/** Answers questions about uploads from Postgres. */
export const uploadQueries: Layer.Layer<UploadQueries, never, Sql> = Layer.effect(
  UploadQueries,
  Effect.map(Sql, ({ client }) =>
    UploadQueries.of({
      list: (projectId, page) => selectListed<UploadRow>(client, listing(projectId), page),
      find: (projectId, key) => {
        const named =
          "id" in key ? sql`u.id = ${key.id}` : sql`u.secret = ${key.secret} and u.name = ${key.name} order by u.id limit 1`
        const statement = sql`select ${columns} from rm_uploads.uploads u where u.project_id = ${projectId} and ${named}`
        return Effect.map(select<UploadRow>(client, statement), ([row]): UploadRow | undefined => row)
      }
    })
  )
)
