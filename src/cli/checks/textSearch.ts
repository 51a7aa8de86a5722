import { Effect } from "effect"
import { attempt, Sql } from "../../platform/sql/Sql.ts"
import { checked, ok, warn } from "./Finding.ts"

/** The schemas of the read models whose texts are searched. */
const schemas = ["rm_merge_requests", "rm_issues"]

interface Found {
  readonly has_extension: boolean
  readonly indexes: number
}

/** Whether texts are searched by indexes, which need an extension that not every server ships. */
export const checkTextSearch = checked(
  "search",
  "see the log of the server",
  Effect.gen(function* () {
    const { client } = yield* Sql
    const [found] = yield* attempt(
      () => client<Array<Found>>`
        select exists (select from pg_extension where extname = 'pg_trgm') as has_extension, (
          select count(*) from pg_indexes where schemaname = any(${schemas}::text[]) and indexdef like '%gin_trgm_ops%') as indexes`
    )
    if (found?.has_extension !== true) {
      const remedy = "run `create extension pg_trgm` in the database, perhaps as its administrator, then `chronoforge rebuild`"
      return [warn("search", "pg_trgm is missing, so that all titles and descriptions are searched one by one", remedy)]
    }
    if (found.indexes < schemas.length)
      return [warn("search", "the indexes of titles and descriptions are missing", "run `chronoforge rebuild`")]
    return [ok("search", "titles and descriptions have indexes")]
  })
)
