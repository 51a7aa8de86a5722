import { Effect, Layer } from "effect"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { CommitCommentQueries, type CommitCommentRow } from "#src/repositories/comments/Queries.ts"

/** Answers questions about comments on commits from Postgres. */
export const commitCommentQueries: Layer.Layer<CommitCommentQueries, never, Sql> = Layer.effect(
  CommitCommentQueries,
  Effect.map(Sql, ({ client }) => {
    const select = client`
      select c.note, c.path, c.line, c.line_type, c.created_at, case when u.id is null then null
        else json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state) end as author
      from rm_commit_comments.comments c left join rm_users.users u on u.id = c.author_id`
    return CommitCommentQueries.of({
      list: ({ projectId, sha }, { limit, offset }) =>
        Effect.all(
          {
            rows: query(
              () => client<Array<CommitCommentRow>>`
                ${select} where c.project_id = ${projectId} and c.sha = ${sha} order by c.position limit ${limit} offset ${offset}`
            ),
            total: Effect.map(
              query(
                () => client<Array<{ total: number }>>`
                  select count(*) as total from rm_commit_comments.comments where project_id = ${projectId} and sha = ${sha}`
              ),
              ([row]) => row?.total ?? 0
            )
          },
          { concurrency: 2 }
        ),
      find: ({ projectId, sha }, position) =>
        Effect.map(
          query(
            () => client<Array<CommitCommentRow>>`
              ${select} where c.project_id = ${projectId} and c.sha = ${sha} and c.position = ${position}`
          ),
          ([row]) => row
        )
    })
  })
)
