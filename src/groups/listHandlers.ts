import { Effect } from "effect"
import type { Caller } from "../http/Caller.ts"
import { route } from "../http/Endpoint.ts"
import { thingNotFound } from "../http/errors.ts"
import { pageOf } from "../http/pagination.ts"
import { ok, page } from "../http/Reply.ts"
import type { RequestInfo } from "../http/RequestInfo.ts"
import { listDescendants, listGroups, listNamespaces, listSubgroups, readNamespace } from "./contract.ts"
import { Groups } from "./Groups.ts"
import { filterOf } from "./input.ts"
import { mayAdminister, mayReadNamespace } from "./permissions.ts"
import { presentGroup, presentNamespace } from "./present.ts"
import { type GroupFilter, GroupsReadModel, type Viewer } from "./ReadModel.ts"
import { requireGroup } from "./requireGroup.ts"

const viewerOf = (caller: Caller | undefined): Viewer => ({
  userId: caller?.user.id ?? null,
  isAdministrator: caller?.user.admin === true,
  isExternal: caller?.user.external === true
})

const listed = Effect.fnUntraced(function* (
  filter: GroupFilter,
  { parameters, request }: { readonly parameters: object; readonly request: RequestInfo }
) {
  const { rows, total } = yield* GroupsReadModel.use((groups) => groups.list(filter, pageOf({ ...parameters })))
  return page(
    rows.map((row) => presentGroup(row, request.externalUrl)),
    total
  )
})

const list = route(listGroups, (input) => listed(filterOf(input.parameters, viewerOf(input.caller)), input))

const listBelow = (declared: typeof listSubgroups, depth: "children" | "descendants") =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { namespace } = yield* requireGroup(input)
      return yield* listed(filterOf(input.parameters, viewerOf(input.caller), { id: namespace.id, depth }), input)
    })
  )

const namespaces = route(
  listNamespaces,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const { search, full_path_search: fullPath } = parameters
    const filter = {
      viewer: { userId: caller.user.id, isAdministrator: caller.user.admin },
      ...(search ? { search: { text: search, fullPath: fullPath === true } } : {}),
      ownedOnly: parameters.owned_only === true,
      topLevelOnly: parameters.top_level_only === true
    }
    const { rows, total } = yield* GroupsReadModel.use((groups) => groups.namespaces(filter, pageOf(parameters)))
    const present = rows.map(({ namespace, role, members }) => {
      const isShown = namespace.kind === "group" && (caller.user.admin || role >= 50)
      return presentNamespace(namespace, isShown ? members : undefined, request.externalUrl)
    })
    return page(present, total)
  })
)

const namespace = route(
  readNamespace,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const found = yield* Groups.use((groups) => groups.find(parameters.id ?? "", caller.user.id))
    if (found === undefined || !mayReadNamespace(caller, found)) return yield* thingNotFound("Namespace")
    const isShown = found.namespace.kind === "group" && mayAdminister(caller, found)
    const members = isShown ? yield* GroupsReadModel.use((groups) => groups.countMembers(found.namespace.id)) : undefined
    return ok(presentNamespace(found.namespace, members, request.externalUrl))
  })
)

export const listRoutes = [
  list,
  listBelow(listSubgroups, "children"),
  listBelow(listDescendants, "descendants"),
  namespaces,
  namespace
]
