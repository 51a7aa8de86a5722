import { Effect } from "effect"
import { notFound } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { noContent, type OtherReply, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { defined } from "../kernel/defined.ts"
import { requireIdentity } from "../mergeRequests/MergeRequests.ts"
import { changes } from "../platform/repeats.ts"
import { requireProject } from "../projects/Projects.ts"
import { todoAggregate } from "./aggregate.ts"
import { addForMergeRequest, listTodos, markAllAsDone, markAsDone } from "./contract.ts"
import { TodoQueries } from "./Queries.ts"
import { pageOfTodos, presented, type Viewing } from "./view.ts"
import { addTodo, causeNow, finishAllTodos, finishTodo } from "./writes.ts"

const notModified: OtherReply<304, undefined> = { status: 304, body: undefined }

const list = route(
  listTodos,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const filter = defined({
      userId: caller.user.id,
      state: parameters.state ?? "pending",
      action: parameters.action ?? undefined,
      authorId: parameters.author_id ?? undefined,
      projectId: parameters.project_id ?? undefined,
      groupId: parameters.group_id ?? undefined,
      type: parameters.type ?? undefined
    })
    return yield* pageOfTodos(yield* TodoQueries.use((todos) => todos.list(filter, pageOf(parameters))), input)
  })
)

/** A to-do of the caller as it is shown now. */
const shown = Effect.fnUntraced(function* (id: number | null | undefined, viewing: Viewing) {
  const { find } = yield* TodoQueries
  const row = id === null || id === undefined ? undefined : yield* find(viewing.caller.user.id, id)
  const todo = row && (yield* presented(row, viewing))
  return todo ?? (yield* notFound)
})

const add = route(
  addForMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const userId = caller.user.id
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const waiting = { userId, target: { type: "MergeRequest", projectId: found.project.id, iid } } as const
    const make = Effect.gen(function* () {
      yield* requireIdentity(found, iid)
      return yield* addTodo({ ...waiting, action: "marked", authorId: userId, cause: yield* causeNow })
    })
    const handled = yield* changes(todoAggregate, waiting, make)
    yield* awaitReadModels(handled)
    const [added] = handled.events.flatMap((event) => (event._tag === "TodoAdded" ? [event.id] : []))
    return added === undefined ? notModified : ok(yield* shown(added, input))
  })
)

const finish = route(
  markAsDone,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { id, project, target, target_type: type } = yield* shown(parameters.id, input)
    const waiting = { userId: caller.user.id, target: { type, projectId: project.id, iid: target.iid } }
    yield* awaitReadModels(yield* finishTodo(waiting, { id, cause: yield* causeNow }))
    return ok(yield* shown(id, input))
  })
)

const finishAll = route(
  markAllAsDone,
  Effect.fnUntraced(function* ({ caller }) {
    const latest = yield* finishAllTodos(caller.user.id)
    if (latest !== undefined) yield* awaitReadModels(latest)
    return noContent
  })
)

export const todoRoutes = [list, add, finishAll, finish]
