import { readFileSync } from "node:fs"
import { mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestKeyOf } from "#src/mergeRequests/ids.ts"
import { TodoEvent, todoCodec } from "#src/todos/events.ts"
import { type Target, type Waiting, waitingOf } from "#src/todos/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, removeWhere } from "../ReadModel.ts"

const todos = "todos"

const of = ({ iid, projectId, type }: Target): Row => ({ target_type: type, project_id: projectId, iid })

const changes = ({ target, userId }: Waiting, event: TodoEvent, at: number): ReadonlyArray<Change> =>
  TodoEvent.match(event, {
    TodoAdded: ({ action, authorId, id }) => [
      idTaken("todo", id),
      put(todos, {
        ...of(target),
        id,
        user_id: userId,
        action,
        author_id: authorId,
        state: "pending",
        created_at: at,
        updated_at: at
      })
    ],
    TodoDone: ({ id }) => [patch(todos, { id }, { state: "done", updated_at: at })]
  })

/** To-dos, which go with what they are about. */
export const todosReadModel: ReadModel = {
  name: "todos",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [todos]: ["id"] },
  projections: [
    on(todoCodec, (event, { at, stream }) => {
      const waiting = waitingOf(stream)
      return waiting === undefined ? [] : changes(waiting, event, at)
    }),
    on(mergeRequestCodec, (event, { stream }) => {
      const key = mergeRequestKeyOf(stream)
      return key === undefined || event._tag !== "MergeRequestDeleted"
        ? []
        : [removeWhere(todos, of({ type: "MergeRequest", ...key }))]
    })
  ]
}
