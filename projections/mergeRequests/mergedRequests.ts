import { Effect, Layer } from "effect"
import { select, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { MergedRequests } from "#src/repositories/MergedRequests.ts"

/** Answers from Postgres what changelogs ask about merge requests. */
export const mergedRequests: Layer.Layer<MergedRequests, never, Sql> = Layer.effect(
  MergedRequests,
  Effect.map(Sql, ({ client }) => ({
    introducing: (projectId, commits) =>
      Effect.map(
        select<{ sha: string; iid: number }>(
          client,
          sql`select c.sha, min(c.iid) as iid from rm_merge_requests.commits c
            join rm_merge_requests.merge_requests m on m.project_id = c.project_id and m.iid = c.iid
            where c.project_id = ${projectId} and c.sha = any(${commits}::text[]) and m.state = 'merged' group by c.sha`
        ),
        (rows) => new Map(rows.map(({ iid, sha }) => [sha, iid]))
      ),
    authorsAmong: (userIds, { branch, projectId }) =>
      Effect.map(
        select<{ id: number }>(
          client,
          sql`select distinct m.author_id as id from rm_merge_requests.merge_requests m
            where m.project_id = ${projectId} and m.author_id = any(${userIds}::bigint[]) and m.state = 'merged'
              and m.target_branch = ${branch} order by 1`
        ),
        (rows) => rows.map(({ id }) => id)
      )
  }))
)
