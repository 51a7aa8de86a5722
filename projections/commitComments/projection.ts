import { readFileSync } from "node:fs"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { commitCommentCodec } from "#src/repositories/comments/events.ts"
import { commentedCommit } from "#src/repositories/ids.ts"
import { on, put, type ReadModel, removeWhere } from "../ReadModel.ts"

const table = "comments"

/** The read model of comments on commits. */
export const commitCommentsReadModel: ReadModel = {
  name: "commit_comments",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [table]: ["project_id", "sha", "position"] },
  projections: [
    on(commitCommentCodec, ({ authorId, line, note }, { at, position, stream }) => {
      const commit = commentedCommit(stream)
      if (commit === undefined) return []
      const place = { path: line?.path ?? null, line: line?.number ?? null, line_type: line?.type ?? null }
      const key = { project_id: commit.projectId, sha: commit.sha, position }
      return [put(table, { ...key, note, ...place, author_id: authorId, created_at: at })]
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      return event._tag === "ProjectDeleted" && projectId !== undefined ? [removeWhere(table, { project_id: projectId })] : []
    })
  ]
}
