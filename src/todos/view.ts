import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { type MayLackText, pageOfTexts, reader, type Texts } from "../http/answer/longLists.ts"
import type { Presented } from "../http/answer/Presented.ts"
import type { Listed } from "../http/answer/pagination.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import {
  type DescribedMergeRequestRow,
  filterVisible,
  type ListedMergeRequestRow,
  MergeRequestQueries,
  mergeRequestUrl,
  presentToNobody
} from "../mergeRequests/MergeRequests.ts"
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

const present = (row: TodoRow, target: DescribedMergeRequestRow, { externalUrl, now }: View): Presented<typeof Todo.Type> => ({
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

/** A to-do with what it is about, whose id and text are those of the row. */
interface Seen extends MayLackText {
  readonly todo: TodoRow
  readonly target: ListedMergeRequestRow
}

/** To-dos with what they are about. Those about what the caller may not see any more are left out, as the reference does. */
const seenOf = Effect.fnUntraced(function* (rows: ReadonlyArray<TodoRow>, caller: Caller) {
  const keys = rows.map(({ iid, project }) => ({ projectId: project.id, iid }))
  const seen = yield* filterVisible(keys, caller)
  const targets = new Map(seen.map((row) => [keyOf({ projectId: row.project_id, iid: row.iid }), row]))
  return rows.flatMap((todo): ReadonlyArray<Seen> => {
    const target = targets.get(keyOf({ projectId: todo.project.id, iid: todo.iid }))
    if (target === undefined) return []
    const { id, text_is_left_out, text_octets } = target
    return [{ id, text_is_left_out, text_octets, todo, target }]
  })
})

const viewOf = (request: Viewing["request"]) =>
  Effect.map(Clock.currentTimeMillis, (now): View => ({ externalUrl: request.externalUrl, now }))

/** A page of to-dos; long descriptions of what they are about come piece by piece. */
export const pageOfTodos = Effect.fnUntraced(function* ({ extent, rows }: Listed<TodoRow>, { caller, request }: Viewing) {
  const view = yield* viewOf(request)
  const [run, { descriptionsOf }] = [yield* reader, yield* MergeRequestQueries]
  const texts: Texts<Seen> = {
    of: ({ target }) => target.description,
    withText: (seen, description) => ({ ...seen, target: { ...seen.target, description } }),
    read: (some) => run(descriptionsOf(some.map(({ target }) => target)))
  }
  const found = { extent, rows: yield* seenOf(rows, caller) }
  return yield* pageOfTexts(found, ({ target, todo }) => present(todo, target, view), texts)
})

/** What lists leave out of one that is very long is read. */
const whole = Effect.fnUntraced(function* (row: ListedMergeRequestRow) {
  if (!row.text_is_left_out) return row
  const [read] = yield* MergeRequestQueries.use(({ descriptionsOf }) => descriptionsOf([row]))
  return { ...row, description: read?.text ?? null }
})

/** A to-do on its own; undefined where the caller may not see any more what it is about. */
export const presented = Effect.fnUntraced(function* (row: TodoRow, { caller, request }: Viewing) {
  const [seen] = yield* seenOf([row], caller)
  return seen && present(seen.todo, yield* whole(seen.target), yield* viewOf(request))
})
