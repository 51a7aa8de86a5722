import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { IssueQueries } from "../../issues/Issues.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import type { MergeRequest } from "../decisions/state.ts"

/** How the issues are named in the project that a merge closes, of those that whoever merges sees: `#3`, or `group/project#3`. */
export const closedReferences = Effect.fnUntraced(function* (
  { attributes, issuesToClose: keys = [] }: MergeRequest,
  project: ProjectRow,
  merger: UserRow
) {
  if (keys.length === 0 || attributes.targetBranch !== project.default_branch) return []
  const order = { by: "created_at", descending: false } as const
  const filter = { viewer: viewerOf({ user: merger }), keys, isAutoclosed: true, order } as const
  const { rows } = yield* IssueQueries.use((issues) => issues.list(filter, { limit: keys.length, offset: 0 }))
  return rows.map(({ iid, project_id, project_path }) => `${project_id === project.id ? "" : project_path}#${iid}`)
})
