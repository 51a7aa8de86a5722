import { Clock, Effect } from "effect"
import { findReadable } from "../../groups/requireGroup.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { can, requireProject } from "../../projects/Projects.ts"
import { issuesPage } from "../page.ts"
import { presentListed } from "../present.ts"
import { type IssueFilter, IssueQueries } from "../Queries.ts"
import { listGroupIssues, listIssues, listProjectIssues } from "./contract.ts"
import { type Filters, filterOf, requireScope } from "./filter.ts"
import { milestoneListRoutes } from "./ofMilestones.ts"

interface Listing {
  readonly input: {
    readonly caller: Caller | undefined
    readonly parameters: Filters
    readonly request: Pick<RequestInfo, "externalUrl">
  }
  readonly defaultScope: "all" | "created_by_me"
  /** Undefined where the caller may see none. */
  readonly within: Pick<IssueFilter, "groupId" | "project" | "withArchived"> | undefined
  readonly groupPath?: string
}

const noIssues = { rows: [], extent: { total: 0 } } as const

const listed = Effect.fnUntraced(function* ({ defaultScope, input, within, ...place }: Listing) {
  const { caller, parameters, request } = input
  const now = yield* Clock.currentTimeMillis
  const asked = yield* filterOf(parameters, { caller, defaultScope, now })
  const isOfIssues = !parameters.issue_type || parameters.issue_type === "issue"
  const found =
    within !== undefined && isOfIssues
      ? yield* IssueQueries.use((issues) => issues.list({ ...asked, ...within }, pageOf({ ...parameters })))
      : noIssues
  const view = { externalUrl: request.externalUrl, now, withLabelDetails: parameters.with_labels_details, ...place }
  return yield* issuesPage(found, (row) => presentListed(row, view))
})

const list = route(
  listIssues,
  Effect.fnUntraced(function* (input) {
    yield* requireScope(input.parameters, input.caller)
    const within = { withArchived: input.parameters.non_archived === false }
    return yield* listed({ input, defaultScope: "created_by_me", within })
  })
)

const listOfProject = route(
  listProjectIssues,
  Effect.fnUntraced(function* (input) {
    const { principal, project } = yield* requireProject(input)
    const showsConfidential = can("read_confidential_issues", principal, project)
    const within = can("read_issues", principal, project) ? { project: { id: project.id, showsConfidential } } : undefined
    return yield* listed({ input, defaultScope: "all", within })
  })
)

const listOfGroup = route(
  listGroupIssues,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { namespace } = yield* findReadable(parameters.id, caller)
    const within = { groupId: namespace.id, withArchived: parameters.non_archived === false }
    return yield* listed({ input, defaultScope: "all", within, groupPath: namespace.full_path })
  })
)

export const listRoutes = [list, listOfProject, listOfGroup, ...milestoneListRoutes]
