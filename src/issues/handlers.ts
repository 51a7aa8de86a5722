import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { forbidden, invalidRecord, notFound, thingNotFound, type WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { defined } from "../kernel/defined.ts"
import { handle } from "../platform/Commands.ts"
import { changes, createsNumbered } from "../platform/repeats.ts"
import { can, type ReadableProject, requireProject } from "../projects/Projects.ts"
import { issueAggregate, type Refusal } from "./aggregate.ts"
import { awardRoutes } from "./awardEmoji/handlers.ts"
import { changeIssue, createIssue, deleteIssue, readIssue } from "./contract.ts"
import { changesOf, createdAtOf, settingsOf } from "./input.ts"
import { listRoutes } from "./lists/handlers.ts"
import { presentDetail } from "./present.ts"
import { IssueQueries, type IssueRow } from "./Queries.ts"
import { isInvolved, mayUpdate, requireIssue } from "./requireIssue.ts"
import { stateEventRoutes } from "./stateEvents/handlers.ts"
import { openIssue } from "./writes.ts"

const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    IssueInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    IssueMissing: () => Effect.fail(notFound),
    IssueExists: (refusal) => Effect.die(refusal)
  })

interface Viewing {
  readonly caller: Caller | undefined
  readonly request: Pick<RequestInfo, "externalUrl">
}

const shown = Effect.fnUntraced(function* (row: IssueRow, { caller, request }: Viewing) {
  const view = { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis }
  return ok(presentDetail(row, isInvolved(row, caller?.user.id), view))
})

/** An issue of the project as read models show it now: to who changed it, also where they may not see it any more. */
const answer = Effect.fnUntraced(function* ({ project }: ReadableProject, iid: number, viewing: Viewing) {
  const row = yield* IssueQueries.use((issues) => issues.find(project.id, iid))
  return yield* row === undefined ? notFound : shown(row, viewing)
})

const read = route(
  readIssue,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    return yield* shown(yield* requireIssue(found, parameters.issue_iid, caller?.user.id), input)
  })
)

const post = route(
  createIssue,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input, "create_issue")
    const projectId = found.project.id
    const make = Effect.gen(function* () {
      const attributes = yield* settingsOf(parameters, found)
      const opening = { authorId: caller.user.id, attributes, ...defined({ createdAt: createdAtOf(parameters, found) }) }
      return yield* openIssue(projectId, opening)
    })
    const created = yield* createsNumbered(issueAggregate, (iid) => ({ projectId, iid }), refuse(make))
    yield* awaitReadModels(created)
    return yield* answer(found, created.number, input)
  })
)

const put = route(
  changeIssue,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const iid = parameters.issue_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const row = yield* requireIssue(found, iid, caller.user.id)
      if (!mayUpdate(found, row, caller.user.id)) return yield* forbidden
      const update = yield* changesOf(parameters, row, found)
      return yield* handle(issueAggregate, key, { _tag: "Update", by: caller.user.id, ...update })
    })
    yield* awaitReadModels(yield* changes(issueAggregate, key, refuse(make)))
    return yield* answer(found, iid, input)
  })
)

const removeRoute = route(
  deleteIssue,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.issue_iid ?? (yield* thingNotFound("Issue"))
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const row = yield* Effect.mapError(requireIssue(found, iid, caller.user.id), () => thingNotFound("Issue"))
      if (!can("remove_issue", found.principal, found.project)) return yield* forbidden
      yield* requireUnmodified(row.updated_at, request)
      return yield* handle(issueAggregate, key, { _tag: "Delete" })
    })
    yield* awaitReadModels(yield* changes(issueAggregate, key, refuse(make)))
    return noContent
  })
)

export const issueRoutes = [...listRoutes, read, post, put, removeRoute, ...stateEventRoutes, ...awardRoutes]
