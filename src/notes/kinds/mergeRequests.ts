import { Effect } from "effect"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { executeQuickActions, findLine, readNote, requireVisibleIdentity } from "../../mergeRequests/MergeRequests.ts"
import { addTodo, causeNow, finishTodo } from "../../todos/Todos.ts"
import type { NoteableRow, Ordering } from "../noteable.ts"

/** What somebody does with their own to-do for a merge request. */
const todosOf = ({ caller, noteable: { iid, projectId } }: Ordering) => {
  const userId = caller.user.id
  const waiting = { userId, target: { type: "MergeRequest", projectId, iid } } as const
  const shown = Effect.fnUntraced(function* (handled: Effect.Success<ReturnType<typeof finishTodo>>) {
    yield* awaitReadModels(handled)
    return handled.events.length > 0
  })
  const add = Effect.flatMap(causeNow, (cause) => addTodo({ ...waiting, action: "marked", authorId: userId, cause }))
  const finish = Effect.flatMap(causeNow, (cause) => finishTodo(waiting, { cause }))
  return { AddTodo: Effect.flatMap(add, shown), FinishTodo: Effect.flatMap(finish, shown) }
}

/** How merge requests have notes. */
export const mergeRequestKind = {
  find: Effect.fnUntraced(function* (found: Parameters<typeof requireVisibleIdentity>[0], iid: number | null) {
    const row = yield* requireVisibleIdentity(found, iid)
    const noteable: NoteableRow = {
      type: "mergeRequest",
      projectId: row.project_id,
      iid: row.iid,
      id: row.id,
      authorId: row.author_id,
      isLocked: row.is_discussion_locked === true
    }
    return noteable
  }),
  findLine,
  ordersIn: (body: string) =>
    Effect.map(readNote(body), ({ actions, text }) => ({
      text,
      execute: (ordering: Ordering) => {
        const { caller, externalUrl, found, noteable } = ordering
        return executeQuickActions(actions, { caller, externalUrl, found, iid: noteable.iid }, todosOf(ordering))
      }
    }))
}
