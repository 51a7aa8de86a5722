import { Effect } from "effect"
import { divergence } from "../git/diff/compare.ts"
import { Repositories } from "../git/Repositories.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { forbidden, notFound } from "../http/answer/errors.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { type Input, route } from "../http/Endpoint.ts"
import type { Decoded } from "../http/parameters/parameters.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { defined } from "../kernel/defined.ts"
import { Markdown } from "../markdown/Markdown.ts"
import { renderSingleLine } from "../markdown/singleLine.ts"
import { load } from "../platform/Commands.ts"
import type { Position } from "../platform/eventStore/EventStore.ts"
import { changes, createsNumbered } from "../platform/repeats.ts"
import { can, type ProjectRow, type ReadableProject, requireProject } from "../projects/Projects.ts"
import { approvalRoutes } from "./approvals/handlers.ts"
import { autoMergeRoutes } from "./autoMerge/handlers.ts"
import { awardRoutes } from "./awardEmoji/handlers.ts"
import { blockRoutes } from "./blocks/handlers.ts"
import { closingRoutes } from "./closing/handlers.ts"
import { noteIssuesSoon } from "./closing/noteIssuesToClose.ts"
import { contextCommitRoutes } from "./contextCommits/handlers.ts"
import { changeMergeRequest, createMergeRequest, deleteMergeRequest, readMergeRequest } from "./contract.ts"
import { mergeRequestAggregate } from "./decisions/aggregate.ts"
import { described } from "./described.ts"
import { diffRoutes } from "./diffs/handlers.ts"
import { changeBy } from "./editing/changeBy.ts"
import { judgeOpening, openBy, targetOf } from "./editing/openBy.ts"
import { tipOf } from "./heads.ts"
import type { MergeRequestKey } from "./ids.ts"
import { labelEventRoutes } from "./labelEvents/handlers.ts"
import { listRoutes } from "./lists/handlers.ts"
import { milestoneListRoutes } from "./lists/ofMilestones.ts"
import { mergingRoutes } from "./mergeHandlers.ts"
import { participationRoutes } from "./people/handlers.ts"
import { pipelineRoutes } from "./pipelines/handlers.ts"
import { type DescribedMergeRequestRow, MergeRequestQueries, type MergeRequestRow } from "./Queries.ts"
import { refresh } from "./reactions/refresh.ts"
import { rebasingRoutes } from "./rebasing/handlers.ts"
import { refuse } from "./refuse.ts"
import { requireMergeRequest, requireVisible } from "./requireMergeRequest.ts"
import { stateEventRoutes } from "./stateEvents/handlers.ts"
import { timeTrackingRoutes } from "./timeTracking/handlers.ts"
import { detailsOf } from "./view.ts"
import { deleteMergeRequest as remove } from "./writes/change.ts"

/** A merge request of the project as read models show it now. */
const answer = Effect.fnUntraced(function* (
  found: ReadableProject,
  iid: number,
  viewing: Pick<Input<Record<string, never>, "user">, "caller" | "request">
) {
  const row = yield* MergeRequestQueries.use((requests) => requests.find(found.project.id, iid))
  return yield* row === undefined ? notFound : detailsOf(yield* described(row), found, viewing)
})

/** How many commits the target branch has that the source branch has not: none where one of them is gone. */
const divergedCommits = Effect.fnUntraced(function* (row: MergeRequestRow) {
  const target = yield* tipOf({ projectId: row.project_id, branch: row.target_branch })
  // Before its first version, what a fork has is not in the repository.
  if (target === undefined || row.version_id === null) return 0
  const repository = (yield* Repositories).of(row.project_id)
  return (yield* Effect.orDie(divergence(repository, { from: target, to: row.sha }))).behind
})

/** Title and description as HTML. Gap: no description is an empty text. */
const htmlOf = Effect.fnUntraced(function* ({ description, title }: DescribedMergeRequestRow) {
  return { title: renderSingleLine(title), description: yield* Markdown.use(({ render }) => render(description ?? "")) }
})

type ReadParameters = Decoded<(typeof readMergeRequest)["parameters"]>

/** What only one that is read alone is asked for. */
const extrasOf = Effect.fnUntraced(function* (row: DescribedMergeRequestRow, parameters: ReadParameters) {
  return defined({
    isFirstContribution: row.author_has_merged !== true,
    divergedCommits: parameters.include_diverged_commits_count === true ? yield* divergedCommits(row) : undefined,
    isRebasing: parameters.include_rebase_in_progress === true ? row.is_rebasing : undefined,
    html: parameters.render_html === true ? yield* htmlOf(row) : undefined
  })
})

const read = route(
  readMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const row = yield* described(yield* requireMergeRequest(found, parameters.merge_request_iid))
    return ok(yield* detailsOf(row, found, { caller, request }, yield* extrasOf(row, parameters)))
  })
)

/** How long an answer waits for the first version of a merge request; the reactor makes it otherwise. */
const preparationTime = "3 seconds"

/** Prepares a merge request at once, where that does not take long: what the answer is to show. */
const prepared = Effect.fnUntraced(function* (
  key: MergeRequestKey,
  opened: { readonly stream: string; readonly position: Position },
  place: { readonly externalUrl: string; readonly home: ProjectRow }
) {
  const preparation = Effect.timeoutOption(refresh(key), preparationTime)
  yield* Effect.catchCause(preparation, (cause) => Effect.logWarning(`${opened.stream} is prepared later`, cause))
  yield* noteIssuesSoon(key, place)
  const { position } = yield* load(mergeRequestAggregate, key)
  return { stream: opened.stream, position: Math.max(position, opened.position) }
})

const post = route(
  createMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const source = yield* requireProject(input)
    const target = yield* targetOf(source, parameters.target_project_id, caller)
    const opening = { source, target, caller }
    yield* judgeOpening(opening, parameters)
    const keyOf = (iid: number) => ({ projectId: target.project.id, iid })
    const place = { externalUrl: request.externalUrl, home: target.project }
    const created = yield* createsNumbered(mergeRequestAggregate, keyOf, refuse(openBy(opening, parameters)))
    yield* awaitReadModels(yield* prepared(keyOf(created.number), created, place))
    return ok(yield* answer(target, created.number, { caller, request }))
  })
)

const put = route(
  changeMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = changeBy({ found, key, caller, externalUrl: request.externalUrl }, parameters)
    const changed = yield* changes(mergeRequestAggregate, key, refuse(make))
    yield* awaitReadModels(changed)
    return ok(yield* answer(found, iid, { caller, request }))
  })
)

const judgeRemoval = Effect.fnUntraced(function* (found: ReadableProject, iid: number, request: RequestInfo) {
  const { updated_at } = yield* requireVisible(found, iid)
  if (!can("remove_merge_request", found.principal, found.project)) return yield* forbidden
  yield* requireUnmodified(updated_at, request)
})

const removeRoute = route(
  deleteMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    yield* changes(mergeRequestAggregate, key, judgeRemoval(found, iid, request))
    yield* awaitReadModels(yield* refuse(remove(key)))
    return noContent
  })
)

export const mergeRequestRoutes = [
  ...listRoutes,
  ...milestoneListRoutes,
  read,
  post,
  put,
  removeRoute,
  ...participationRoutes,
  ...labelEventRoutes,
  ...mergingRoutes,
  ...pipelineRoutes,
  ...rebasingRoutes,
  ...blockRoutes,
  ...contextCommitRoutes,
  ...autoMergeRoutes,
  ...diffRoutes,
  ...timeTrackingRoutes,
  ...approvalRoutes,
  ...stateEventRoutes,
  ...awardRoutes,
  ...closingRoutes
]
