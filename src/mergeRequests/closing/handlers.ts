import { Clock, Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { type IssueFilter, IssueQueries, issuesPage, presentBasic } from "../../issues/Issues.ts"
import { load } from "../../platform/Commands.ts"
import { type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { isPresent } from "../decisions/state.ts"
import type { MergeRequestKey } from "../ids.ts"
import { requireMergeRequest } from "../requireMergeRequest.ts"
import { listClosedIssues, listRelatedIssues } from "./contract.ts"
import { keysOf } from "./resolve.ts"
import { referencesIn } from "./texts.ts"

interface Asking {
  readonly caller: Caller | undefined
  readonly parameters: object
  readonly request: Pick<RequestInfo, "externalUrl">
}

type Wanted = Pick<IssueFilter, "closedBy" | "isAutoclosed" | "keys">

/** Of the issues that are wanted those that the caller sees. */
const listed = Effect.fnUntraced(function* (wanted: Wanted | undefined, { caller, parameters, request }: Asking) {
  if (wanted === undefined) return page([], { total: 0 })
  const filter: IssueFilter = { viewer: viewerOf(caller), ...wanted, order: { by: "created_at", descending: false } }
  const found = yield* IssueQueries.use((issues) => issues.list(filter, pageOf({ ...parameters })))
  const view = { externalUrl: request.externalUrl, now: yield* Clock.currentTimeMillis }
  return yield* issuesPage(found, (row) => presentBasic(row, view))
})

const closed = route(
  listClosedIssues,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input)
    const { iid, target_branch } = yield* requireMergeRequest(found, input.parameters.merge_request_iid)
    const closedBy = { projectId: found.project.id, iid }
    const closes = target_branch === found.project.default_branch
    return yield* listed(closes ? { closedBy, isAutoclosed: true } : undefined, input)
  })
)

const namedIn = Effect.fnUntraced(function* ({ project }: ReadableProject, key: MergeRequestKey, externalUrl: string) {
  const { state } = yield* load(mergeRequestAggregate, key)
  if (!isPresent(state)) return undefined
  const context = { externalUrl, projectPath: project.path_with_namespace }
  const references = yield* referencesIn(key, state.request, "mentioned", context)
  const keys = yield* keysOf(references, project)
  return keys.length === 0 ? undefined : { keys }
})

const related = route(
  listRelatedIssues,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input)
    const { iid } = yield* requireMergeRequest(found, input.parameters.merge_request_iid)
    const key = { projectId: found.project.id, iid }
    return yield* listed(yield* namedIn(found, key, input.request.externalUrl), input)
  })
)

export const closingRoutes = [closed, related]
