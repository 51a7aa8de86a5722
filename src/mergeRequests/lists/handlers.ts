import { Effect } from "effect"
import { Groups, mayReadGroup } from "../../groups/Groups.ts"
import { forbidden, thingNotFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { page, revalidate } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { longList } from "../../issuables/longLists.ts"
import type { Place } from "../../issuables/references.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { can, requireProject } from "../../projects/Projects.ts"
import { presentListed, presentSimple } from "../present.ts"
import { type ListedMergeRequestRow, type MergeRequestFilter, MergeRequestQueries } from "../Queries.ts"
import { listGroupMergeRequests, listMergeRequests, listProjectMergeRequests } from "./contract.ts"
import { type Filters, filterOf, requireScope } from "./filter.ts"

const listed = Effect.fnUntraced(function* (filter: MergeRequestFilter, parameters: Filters, place: Place) {
  const { descriptionsOf, list: listOf } = yield* MergeRequestQueries
  const { rows, extent } = yield* listOf(filter, pageOf(parameters))
  const present = (row: ListedMergeRequestRow) =>
    parameters.view === "simple" ? presentSimple(row, place) : presentListed(row, place)
  if (!rows.some((row) => row.description_is_left_out)) return page(rows.map(present), extent)
  return { body: yield* longList({ rows, present, descriptionsOf }), extent, headers: revalidate }
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
