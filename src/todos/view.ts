import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { type MergeRequestRow, mergeRequestUrl, presentToNobody, seenAmong } from "../mergeRequests/MergeRequests.ts"
import type { TodoRow } from "./Queries.ts"
import type { Todo } from "./shapes.ts"

/** For whom to-dos are shown, and where. */
export interface Viewing {
  readonly caller: Caller
  readonly request: Pick<RequestInfo, "externalUrl">
}

interface View {
  readonly externalUrl: string
  readonly now: number
}

const present = (row: TodoRow, target: MergeRequestRow, { externalUrl, now }: View): Presented<typeof Todo.Type> => ({
  id: row.id,
  project: {
    id: row.project.id,
    description: row.project.description,
    name: row.project.name,
    name_with_namespace: row.project.name_with_namespace,
    path: row.project.path,
    path_with_namespace: row.project.path_with_namespace,
    created_at: isoMillis(row.project.created_at)
  },
  author: row.author && userReference(row.author, externalUrl),
  action_name: row.action,
  target_type: row.target_type,
  target: presentToNobody(target, { externalUrl, now }),
  target_url: mergeRequestUrl(target, { externalUrl }),
  body: target.title,
  state: row.state,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at)
})

const keyOf = ({ iid, projectId }: { readonly iid: number; readonly projectId: number }): string => `${projectId} ${iid}`

/** To-dos with what they are about. Those about what the caller may not see any more are left out, as the reference does. */
export const presented = Effect.fnUntraced(function* (rows: ReadonlyArray<TodoRow>, { caller, request }: Viewing) {
  const keys = rows.map(({ iid, project }) => ({ projectId: project.id, iid }))
  const seen = yield* seenAmong(keys, caller)
  const targets = new Map(seen.map((row) => [keyOf({ projectId: row.project_id, iid: row.iid }), row]))
  const view = { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis }
  return rows.flatMap((row) => {
    const target = targets.get(keyOf({ projectId: row.project.id, iid: row.iid }))
    return target === undefined ? [] : [present(row, target, view)]
  })
})
