import { Clock, Effect } from "effect"
import { Groups, mayReadGroup } from "../../groups/Groups.ts"
import { forbidden, thingNotFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { route } from "../../http/Endpoint.ts"
import type { RawParameters } from "../../http/parameters/rawParameters.ts"
import { pageOfDescribed } from "../../issuables/descriptions.ts"
import type { Place } from "../../issuables/references.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { defined } from "../../kernel/defined.ts"
import { LabelQueries, presentDetails } from "../../labels/Labels.ts"
import { can, requireProject } from "../../projects/Projects.ts"
import { presentListed, presentSimple } from "../present.ts"
import { type ListedMergeRequestRow, type MergeRequestFilter, MergeRequestQueries } from "../Queries.ts"
import { type Filters, listGroupMergeRequests, listMergeRequests, listProjectMergeRequests } from "./contract.ts"
import { filterOf, requireScope } from "./filter.ts"

/** What is shown of the labels of these merge requests, by their ids. */
const labelDetailsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ListedMergeRequestRow>) {
  const ids = new Set(rows.flatMap(({ labels }) => labels.map(({ id }) => id)))
  const labels = ids.size === 0 ? [] : yield* LabelQueries.use(({ withIds }) => withIds([...ids]))
  return new Map(labels.map((label) => [label.id, presentDetails(label)]))
})

type Shown = RawParameters & { readonly view?: Filters["view"]; readonly with_labels_details?: boolean }

/** A page of merge requests, as they are asked for. */
export const listed = Effect.fnUntraced(function* (filter: MergeRequestFilter, parameters: Shown, place: Place) {
  const { descriptionsOf, list: listOf } = yield* MergeRequestQueries
  const { rows, extent } = yield* listOf(filter, pageOf(parameters))
  const labels = parameters.with_labels_details ? yield* labelDetailsOf(rows) : undefined
  const view = { ...place, ...defined({ labels }), now: yield* Clock.currentTimeMillis }
  const present = (row: ListedMergeRequestRow) =>
    parameters.view === "simple" ? presentSimple(row, place) : presentListed(row, view)
  return yield* pageOfDescribed({ rows, extent }, present, descriptionsOf)
})

const list = route(
  listMergeRequests,
  Effect.fnUntraced(function* ({ caller, parameters, request: { externalUrl } }) {
    yield* requireScope(parameters, caller)
    const filter = yield* filterOf(parameters, caller, "created_by_me")
    return yield* listed({ ...filter, viewer: viewerOf(caller) }, parameters, { externalUrl })
  })
)

const listOfProject = route(
  listProjectMergeRequests,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const filter = yield* filterOf(parameters, caller, "all")
    const { principal, project } = yield* requireProject(input)
    if (!can("read_merge_requests", principal, project)) return yield* forbidden
    const { iids } = parameters
    const among = iids && iids.length > 0 ? { iids } : {}
    return yield* listed({ ...filter, ...among, projectId: project.id }, parameters, { externalUrl: request.externalUrl })
  })
)

const listOfGroup = route(
  listGroupMergeRequests,
  Effect.fnUntraced(function* ({ caller, parameters, request: { externalUrl } }) {
    const filter = yield* filterOf(parameters, caller, "all")
    const found = yield* Groups.use((groups) => groups.find(parameters.id ?? "", caller?.user.id))
    if (found?.namespace.kind !== "group" || !mayReadGroup(caller, found)) return yield* thingNotFound("Group")
    const { full_path: groupPath, id: groupId } = found.namespace
    const within = { groupId, viewer: viewerOf(caller), withArchived: parameters.non_archived === false }
    return yield* listed({ ...filter, ...within }, parameters, { externalUrl, groupPath })
  })
)

export const listRoutes = [list, listOfProject, listOfGroup]
