import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { Projects, principalOf } from "../projects/Projects.ts"
import type { IssueKey } from "./ids.ts"
import { IssueQueries } from "./Queries.ts"
import { mayRead } from "./requireIssue.ts"

/**
 * The issues among these, of few projects, that somebody sees, or whoever has no account, in the order in which they were opened. Those that are
 * not there are left out.
 */
export const seenAmong = Effect.fnUntraced(function* (keys: ReadonlyArray<IssueKey>, caller: Pick<Caller, "user"> | undefined) {
  const [issues, projects, userId] = [yield* IssueQueries, yield* Projects, caller?.user.id]
  const projectIds = [...new Set(keys.map(({ projectId }) => projectId))]
  // What is asked for in the same turn of the event loop is one statement for issues, and one for projects.
  const [identities, found] = yield* Effect.all(
    [
      Effect.forEach(keys, ({ iid, projectId }) => issues.identify(projectId, iid), { concurrency: "unbounded" }),
      Effect.forEach(projectIds, (id) => projects.find(String(id), userId), { concurrency: "unbounded" })
    ],
    { concurrency: 2 }
  )
  const readable = new Map(
    found.flatMap((one) => (one ? [[one.project.id, { project: one.project, principal: principalOf(caller, one.role) }]] : []))
  )
  return identities
    .filter((row) => row !== undefined)
    .filter((row) => {
      const project = readable.get(row.project_id)
      return project !== undefined && mayRead(project, row, userId)
    })
    .sort((one, other) => one.id - other.id)
})
