import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { accepted } from "../../http/answer/accepted.ts"
import { forbidden, notFound, unauthorized, type WireError } from "../../http/answer/errors.ts"
import { noContent, ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { peopleAmong } from "../../issuables/people.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Command } from "../decisions/commands.ts"
import { headOf } from "../decisions/state.ts"
import { described } from "../described.ts"
import { headsNow } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { MergeRequestQueries, type MergeRequestRow } from "../Queries.ts"
import { refresh } from "../reactions/refresh.ts"
import { refuse } from "../refuse.ts"
import { mayUpdate, requireMergeRequest, requireVisible } from "../requireMergeRequest.ts"
import {
  addApprovalRule,
  approve,
  listApprovalRules,
  readApprovalState,
  readApprovals,
  removeApprovalRule,
  resetApprovals,
  unapprove
} from "./contract.ts"
import { presentApprovals, presentRule, presentState } from "./present.ts"
import { mayApprove } from "./rights.ts"

const approvalsOf = (row: MergeRequestRow) => MergeRequestQueries.use((requests) => requests.approvals(row))

interface Viewing {
  readonly caller: Caller | undefined
  readonly request: Pick<RequestInfo, "externalUrl">
}

const answer = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null, { caller, request }: Viewing) {
  const row = yield* described(yield* requireMergeRequest(found, iid))
  const approver = { userId: caller?.user.id, mayApprove: caller !== undefined && mayApprove(found, row, caller) }
  return ok(presentApprovals(row, yield* approvalsOf(row), { ...approver, externalUrl: request.externalUrl }))
})

const read = route(
  readApprovals,
  Effect.fnUntraced(function* (input) {
    return yield* answer(yield* requireProject(input), input.parameters.merge_request_iid, input)
  })
)

/** Sends a command, unless an earlier run of the request did; `judge` is asked before. */
const sent = Effect.fnUntraced(function* <R>(key: MergeRequestKey, command: Command, judge: Effect.Effect<void, WireError, R>) {
  const handled = Effect.andThen(judge, refuse(handle(mergeRequestAggregate, key, command)))
  yield* awaitReadModels(yield* changes(mergeRequestAggregate, key, handled))
})

/** A push that was answered counts, also where its version is not noted yet: it changes what is approved. */
const notePushes = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened") return
  const { source } = yield* headsNow(state.request, key)
  if (source !== undefined && source !== headOf(state.request)) yield* Effect.ignore(refresh(key))
}, Effect.orDie)

const keyOf = ({ project }: ReadableProject, iid: number | null) =>
  iid === null ? Effect.fail(notFound) : Effect.succeed({ projectId: project.id, iid })

const requireApprover = Effect.fnUntraced(function* (found: ReadableProject, iid: number, caller: Caller) {
  const row = yield* requireMergeRequest(found, iid)
  if (!mayApprove(found, row, caller)) return yield* forbidden
})

const postApprove = route(
  approve,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = yield* keyOf(found, parameters.merge_request_iid)
    const command = { _tag: "Approve", by: caller.user.id, sha: parameters.sha || undefined } as const
    yield* sent(key, command, Effect.andThen(requireApprover(found, key.iid, caller), notePushes(key)))
    return yield* answer(found, key.iid, input)
  })
)

const postUnapprove = route(
  unapprove,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = yield* keyOf(found, parameters.merge_request_iid)
    yield* sent(key, { _tag: "Unapprove", by: caller.user.id }, requireApprover(found, key.iid, caller))
    return yield* answer(found, key.iid, input)
  })
)

const reset = route(
  resetApprovals,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = yield* keyOf(found, parameters.merge_request_iid)
    const judge = Effect.gen(function* () {
      yield* requireVisible(found, key.iid)
      if (!caller.user.admin || found.project.archived) return yield* unauthorized
    })
    yield* sent(key, { _tag: "ResetApprovals" }, judge)
    return accepted
  })
)

const readState = route(
  readApprovalState,
  Effect.fnUntraced(function* (input) {
    const row = yield* requireMergeRequest(yield* requireProject(input), input.parameters.merge_request_iid)
    return ok(presentState(yield* approvalsOf(row), input.request.externalUrl))
  })
)

const listRules = route(
  listApprovalRules,
  Effect.fnUntraced(function* (input) {
    const row = yield* requireMergeRequest(yield* requireProject(input), input.parameters.merge_request_iid)
    const { rules } = yield* approvalsOf(row)
    return ok(rules.map((rule) => presentRule(rule, input.request.externalUrl)))
  })
)

const requireChangeable = Effect.fnUntraced(function* (found: ReadableProject, iid: number, caller: Caller) {
  const row = yield* requireMergeRequest(found, iid)
  return mayUpdate(found, row, caller.user.id) ? row : yield* forbidden
})

const addRule = route(
  addApprovalRule,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const key = yield* keyOf(found, parameters.merge_request_iid)
    const make = Effect.gen(function* () {
      yield* requireChangeable(found, key.iid, caller)
      const userIds = yield* peopleAmong(parameters.user_ids ?? [], found, "read_merge_requests")
      const about = { name: parameters.name ?? "", approvalsRequired: parameters.approvals_required ?? 0 }
      const rule = { id: yield* nextId("approval_rule"), userIds, ...about }
      return yield* refuse(handle(mergeRequestAggregate, key, { _tag: "AddApprovalRule", rule }))
    })
    const handled = yield* changes(mergeRequestAggregate, key, make)
    yield* awaitReadModels(handled)
    const [added] = handled.events.flatMap((event) => (event._tag === "ApprovalRuleAdded" ? [event.id] : []))
    const { rules } = yield* approvalsOf(yield* requireMergeRequest(found, key.iid))
    const rule = rules.find(({ id }) => id === added)
    return rule === undefined ? yield* notFound : ok(presentRule(rule, request.externalUrl))
  })
)

const removeRule = route(
  removeApprovalRule,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = yield* keyOf(found, parameters.merge_request_iid)
    const id = parameters.approval_rule_id ?? (yield* notFound)
    yield* sent(key, { _tag: "RemoveApprovalRule", id }, requireChangeable(found, key.iid, caller))
    return noContent
  })
)

export const approvalRoutes = [read, postApprove, postUnapprove, reset, readState, listRules, addRule, removeRule]
