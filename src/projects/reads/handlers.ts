import { Effect } from "effect"
import { Groups, mayReadGroup } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, thingNotFound } from "../../http/answer/errors.ts"
import { keysetUnavailable, maxOffset, maxShownTotal, offsetTooGreat, pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import { accessLevel } from "../../members/levels.ts"
import { Users } from "../../users/Users.ts"
import {
  listGroupProjects,
  listProjectForks,
  listProjects,
  listProjectUsers,
  listUserProjects,
  readProject
} from "../contract.ts"
import { requireFound, requireProject } from "../Projects.ts"
import { type ProjectFilter, ProjectQueries, viewerOf } from "../Queries.ts"
import { presentWithPermissions } from "./present.ts"
import { presentAll, presentAllSimple, presentFound } from "./view.ts"

type Filters = Decoded<(typeof listProjects)["parameters"]>

/** The lowest role that the filters require; undefined for none. */
const minRoleOf = ({ membership, min_access_level, owned }: Filters): number | undefined => {
  const minRole = Math.max(membership ? accessLevel.guest : 0, owned ? accessLevel.owner : 0, min_access_level ?? 0)
  return minRole === 0 ? undefined : minRole
}

const orderOf = ({ order_by, search, sort }: Filters): ProjectFilter["order"] => {
  const by = order_by ?? "created_at"
  return { by: by === "similarity" && !search ? "created_at" : by, descending: sort !== "asc" }
}

/** Nothing is similar to no search: projects of a group are ordered by name then, and by ids in the direction that is asked for. */
const orderOfGroup = ({ order_by, search, sort }: Filters): Partial<Pick<ProjectFilter, "order">> =>
  order_by === "similarity" && !search ? { order: { by: "name", descending: false, descendingIds: sort !== "asc" } } : {}

/** The filter of a list from its parameters. */
const filterOf = (parameters: Filters, caller: Caller | undefined): ProjectFilter => {
  const { search } = parameters
  const topics = (parameters.topic ?? []).filter((each) => each !== "")
  return defined({
    viewer: viewerOf(caller),
    search: search ? { text: search, inNamespaces: parameters.search_namespaces === true } : undefined,
    visibility: parameters.visibility ?? undefined,
    archived: parameters.archived ?? undefined,
    minRole: minRoleOf(parameters),
    topics: topics.length === 0 ? undefined : topics,
    idAfter: parameters.id_after ?? undefined,
    idBefore: parameters.id_before ?? undefined,
    activeAfter: parameters.last_activity_after ?? undefined,
    activeBefore: parameters.last_activity_before ?? undefined,
    updatedAfter: parameters.updated_after ?? undefined,
    updatedBefore: parameters.updated_before ?? undefined,
    withIssues: parameters.with_issues_enabled || undefined,
    withMergeRequests: parameters.with_merge_requests_enabled || undefined,
    order: orderOf(parameters)
  })
}

/** The id of no user. */
const nobody = 0

interface ListInput {
  readonly parameters: Filters
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const presentListed = (ids: ReadonlyArray<number>, { caller, parameters, request }: ListInput) =>
  parameters.simple || caller === undefined
    ? presentAllSimple(ids, { caller, request })
    : presentAll(ids, presentWithPermissions, { caller, request, statistics: parameters.statistics === true })

/** Reads one entry more than the page, to know whether there is another page. */
const keysetPage = Effect.fnUntraced(function* (filter: ProjectFilter, input: ListInput) {
  const { limit } = pageOf(input.parameters)
  const ids = yield* ProjectQueries.use((projects) => projects.list(filter, { limit: limit + 1, offset: 0 }))
  const shown = ids.slice(0, limit)
  const last = shown.at(-1)
  const body = yield* presentListed(shown, input)
  if (ids.length <= limit || last === undefined) return { body }
  return { body, next: filter.order.descending ? { id_before: last } : { id_after: last } }
})

const updatesUnpaired = badRequest("400 Bad request - `updated_at` filter and `updated_at` sorting must be paired")

/** Lists the projects that match the request among those of a namespace, the forks of a project, or those that a user starred. */
export const listed = Effect.fnUntraced(function* (
  input: ListInput,
  among: Partial<Pick<ProjectFilter, "forkOf" | "namespace" | "order">> & { readonly starrer?: number } = {}
) {
  const { caller, parameters } = input
  const isByUpdate = Boolean(parameters.updated_after ?? parameters.updated_before)
  if (isByUpdate && parameters.order_by !== "updated_at") return yield* updatesUnpaired
  const { starrer, ...within } = among
  const starrers = [...(parameters.starred ? [caller?.user.id ?? nobody] : []), ...(starrer === undefined ? [] : [starrer])]
  const filter = { ...filterOf(parameters, caller), ...within, ...(starrers.length === 0 ? {} : { starrers }) }
  if (parameters.pagination === "keyset") {
    return yield* filter.order.by === "id" ? keysetPage(filter, input) : keysetUnavailable
  }
  const slice = pageOf(parameters)
  if (slice.offset > maxOffset) return yield* offsetTooGreat("Project")
  const { limit, offset } = slice
  const projects = yield* ProjectQueries
  const shown = Effect.flatMap(projects.list(filter, { limit: limit + 1, offset }), (ids) =>
    Effect.map(presentListed(ids.slice(0, limit), input), (body) => ({ body, hasNext: ids.length > limit }))
  )
  const [{ body, hasNext }, total] = yield* Effect.all([shown, projects.count(filter)], { concurrency: 2 })
  return { body, extent: total > maxShownTotal ? { hasNext } : { total } }
})

const list = route(listProjects, (input) => listed(input))

const listOfUser = route(
  listUserProjects,
  Effect.fnUntraced(function* (input) {
    const user = yield* Users.use((users) => users.findByIdOrUsername(input.parameters.user_id ?? ""))
    if (user === undefined) return yield* thingNotFound("User")
    // It is null for a user of an older log who was given none yet.
    if (user.namespace_id === null) return page([], 0)
    // Administrators may read all of them, whatever their role in them.
    const parameters = input.caller?.user.admin ? { ...input.parameters, min_access_level: null } : input.parameters
    return yield* listed({ ...input, parameters }, { namespace: { id: user.namespace_id, withDescendants: false } })
  })
)

const listOfGroup = route(
  listGroupProjects,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* Groups.use((groups) => groups.find(parameters.id ?? "", caller?.user.id))
    if (found?.namespace.kind !== "group" || !mayReadGroup(caller, found)) return yield* thingNotFound("Group")
    const { include_subgroups: withDescendants, with_shared: withShared } = parameters
    const namespace = { id: found.namespace.id, withDescendants, withShared }
    return yield* listed(input, { namespace, ...orderOfGroup(parameters) })
  })
)

const listForks = route(
  listProjectForks,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input)
    return yield* listed(input, { forkOf: project.id })
  })
)

const read = route(
  readProject,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* ProjectQueries.use((projects) => projects.find(parameters.id ?? "", caller?.user.id))
    const { project } = yield* requireFound(found, input)
    const { license, statistics } = parameters
    return ok(yield* presentFound(project, { caller, request, license: license === true, statistics: statistics === true }))
  })
)

const listUsers = route(
  listProjectUsers,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const { project } = yield* requireProject(input)
    const filter = defined({ search: parameters.search || undefined, except: parameters.skip_users ?? undefined })
    const { rows, total } = yield* ProjectQueries.use((projects) => projects.users(project.id, filter, pageOf(parameters)))
    return page(
      rows.map((row) => userReference(row, request.externalUrl)),
      total
    )
  })
)

export const readRoutes = [list, listOfUser, listOfGroup, read, listForks, listUsers]
