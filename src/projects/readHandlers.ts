import { Effect } from "effect"
import { Groups, mayReadGroup } from "../groups/Groups.ts"
import type { Caller } from "../http/Caller.ts"
import { route } from "../http/Endpoint.ts"
import { thingNotFound, WireError } from "../http/errors.ts"
import { pageOf } from "../http/pagination.ts"
import type { Decoded } from "../http/parameters.ts"
import { ok, page, type Reply } from "../http/Reply.ts"
import type { RequestInfo } from "../http/RequestInfo.ts"
import { userReference } from "../http/shapes.ts"
import type { Imports } from "../imports/Imports.ts"
import { Users } from "../users/Users.ts"
import { role } from "./abilities.ts"
import { listGroupProjects, listProjects, listProjectUsers, listUserProjects, readProject } from "./contract.ts"
import { type ProjectFilter, ProjectReadModel } from "./ReadModel.ts"
import { requireProject } from "./requireProject.ts"
import { presentAll, presentOne } from "./view.ts"

type Filters = Decoded<(typeof listProjects)["parameters"]>

/** The least of the roles that the wishes ask for; undefined for any. */
const leastRole = ({ membership, min_access_level, owned }: Filters): number | undefined => {
  const least = Math.max(membership ? role.guest : 0, owned ? role.owner : 0, min_access_level ?? 0)
  return least === 0 ? undefined : least
}

const orderOf = ({ order_by, search, sort }: Filters): ProjectFilter["order"] => {
  const by = order_by ?? "created_at"
  return { by: by === "similarity" && !search ? "created_at" : by, descending: sort !== "asc" }
}

/** What a list asks for. */
const filterOf = (asked: Filters, caller: Caller | undefined): ProjectFilter => {
  const { archived, id_after, id_before, last_activity_after, last_activity_before, search, topic, visibility } = asked
  const least = leastRole(asked)
  const topics = (topic ?? []).filter((each) => each !== "")
  return {
    asker: {
      userId: caller?.user.id,
      isAdministrator: caller?.user.admin === true,
      isExternal: caller?.user.external === true
    },
    ...(search ? { search: { text: search, inNamespaces: asked.search_namespaces === true } } : {}),
    ...(visibility ? { visibility } : {}),
    ...(typeof archived === "boolean" ? { archived } : {}),
    ...(least === undefined ? {} : { leastRole: least }),
    ...(topics.length === 0 ? {} : { topics }),
    ...(typeof id_after === "number" ? { idAfter: id_after } : {}),
    ...(typeof id_before === "number" ? { idBefore: id_before } : {}),
    ...(typeof last_activity_after === "number" ? { activeAfter: last_activity_after } : {}),
    ...(typeof last_activity_before === "number" ? { activeBefore: last_activity_before } : {}),
    ...(asked.with_issues_enabled ? { withIssues: true } : {}),
    ...(asked.with_merge_requests_enabled ? { withMergeRequests: true } : {}),
    order: orderOf(asked)
  }
}

const keysetUnavailable = new WireError({
  status: 405,
  body: { error: "Keyset pagination is not yet available for this type of request" }
})

interface Asked {
  readonly parameters: Filters
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/** One more than the page, to know whether there is another one. */
const keysetPage = Effect.fnUntraced(function* (
  filter: ProjectFilter,
  asked: Asked
): Effect.fn.Return<Reply, never, Imports | ProjectReadModel> {
  const { limit } = pageOf(asked.parameters)
  const { rows } = yield* ProjectReadModel.use((projects) => projects.list(filter, { offset: 0, limit: limit + 1 }))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const body = yield* presentAll(shown, asked.parameters.simple ? "simple" : "withPermissions", asked)
  if (rows.length <= limit || last === undefined) return { body }
  return { body, next: filter.order.descending ? { id_before: last.id } : { id_after: last.id } }
})

const listed = Effect.fnUntraced(function* (asked: Asked, namespace?: NonNullable<ProjectFilter["namespace"]>) {
  const { parameters } = asked
  // Gap: nothing has stars, as long as there is no endpoint to give them.
  if (parameters.starred) return page([], 0)
  const filter = { ...filterOf(parameters, asked.caller), ...(namespace === undefined ? {} : { namespace }) }
  if (parameters.pagination === "keyset") {
    return yield* filter.order.by === "id" ? keysetPage(filter, asked) : keysetUnavailable
  }
  const { rows, total } = yield* ProjectReadModel.use((projects) => projects.list(filter, pageOf(parameters)))
  return page(yield* presentAll(rows, parameters.simple ? "simple" : "withPermissions", asked), total)
})

const list = route(listProjects, (input) => listed(input))

const listOfUser = route(
  listUserProjects,
  Effect.fnUntraced(function* (input) {
    const user = yield* Users.use((users) => users.findByIdOrUsername(input.parameters.user_id ?? ""))
    if (user === undefined) return yield* thingNotFound("User")
    return yield* listed(input, { id: user.namespace_id ?? 0, withDescendants: false })
  })
)

const listOfGroup = route(
  listGroupProjects,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* Groups.use((groups) => groups.find(parameters.id ?? "", caller?.user.id))
    if (found?.namespace.kind !== "group" || !mayReadGroup(caller, found)) return yield* thingNotFound("Group")
    return yield* listed(input, { id: found.namespace.id, withDescendants: parameters.include_subgroups })
  })
)

const read = route(
  readProject,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input)
    return ok(yield* presentOne(project.id, "withPermissions", input))
  })
)

const listUsers = route(
  listProjectUsers,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const { project } = yield* requireProject(input)
    const filter = {
      ...(parameters.search ? { search: parameters.search } : {}),
      ...(parameters.skip_users ? { except: parameters.skip_users } : {})
    }
    const { rows, total } = yield* ProjectReadModel.use((projects) => projects.users(project.id, filter, pageOf(parameters)))
    return page(
      rows.map((row) => userReference(row, request.externalUrl)),
      total
    )
  })
)

export const readRoutes = [list, listOfUser, listOfGroup, read, listUsers]
