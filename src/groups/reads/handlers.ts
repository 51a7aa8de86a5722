import { Effect } from "effect"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { invalidParameters, thingNotFound } from "../../http/answer/errors.ts"
import { keysetUnavailable, maxOffset, offsetTooGreat, pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { groupReference } from "../../http/answer/references.ts"
import { presentStorage } from "../../http/answer/storageSizes.ts"
import { route } from "../../http/Endpoint.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import {
  listDescendants,
  listGroups,
  listInvitedGroups,
  listNamespaces,
  listSharedGroups,
  listSubgroups,
  readNamespace
} from "../contract.ts"
import { GroupProjects } from "../GroupProjects.ts"
import { type GroupRow, Groups, invitationsOf, viewerOf } from "../Groups.ts"
import { conditionsOf, filterOf } from "../input.ts"
import { mayAdminister, mayReadNamespace } from "../permissions.ts"
import { type GroupFilter, GroupQueries, relatedGroups } from "../Queries.ts"
import { requireGroup } from "../requireGroup.ts"
import { cursorOf, keyOf } from "./cursor.ts"
import { presentGroup, presentNamespace } from "./present.ts"

interface Listing {
  readonly parameters: { readonly statistics?: boolean | null; readonly cursor?: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/** Groups as lists show them. Administrators alone are told their statistics. */
const presented = Effect.fnUntraced(function* (rows: ReadonlyArray<GroupRow>, { caller, parameters, request }: Listing) {
  const instance = { externalUrl: request.externalUrl, branchProtection: (yield* AppConfig).defaultBranchProtection }
  if (parameters.statistics !== true || caller?.user.admin !== true) return rows.map((row) => presentGroup(row, instance))
  const { bytes } = yield* GroupProjects
  const shown = (row: GroupRow) =>
    Effect.map(bytes(row.id), (sum) => ({ ...presentGroup(row, instance), statistics: presentStorage(sum) }))
  return yield* Effect.forEach(rows, shown, { concurrency: 4 })
})

const listed = Effect.fnUntraced(function* (filter: GroupFilter, input: Listing) {
  const { rows, total } = yield* GroupQueries.use((groups) => groups.list(filter, pageOf({ ...input.parameters })))
  return page(yield* presented(rows, input), total)
})

/** A page from a key on: one group more is read, to know whether there is another page. */
const listedAfter = Effect.fnUntraced(function* (filter: GroupFilter, input: Listing) {
  const { parameters } = input
  const { by } = filter.order
  if (by === "similarity") return yield* keysetUnavailable
  const after = parameters.cursor ? keyOf(parameters.cursor) : undefined
  if (after === null) return yield* invalidParameters(["cursor is invalid"])
  const { limit } = pageOf({ ...parameters })
  const rows = yield* GroupQueries.use((groups) => groups.listAfter(filter, after, limit + 1))
  const shown = rows.slice(0, limit)
  const body = yield* presented(shown, input)
  const last = shown.at(-1)
  if (rows.length <= limit || last === undefined) return { body }
  return { body, next: { cursor: cursorOf({ id: last.id, value: last[by] }) } }
})

/** Signed-in callers may go as far as they like. */
const list = route(
  listGroups,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const filter = filterOf(parameters, viewerOf(caller))
    if (parameters.pagination === "keyset") return yield* listedAfter(filter, input)
    if (caller === undefined && pageOf(parameters).offset > maxOffset) return yield* offsetTooGreat("Group")
    return yield* listed(filter, input)
  })
)

/** Signed-in callers are shown groups in which they have no part only where they ask for all, administrators where they do not ask. */
const listBelow = (declared: typeof listSubgroups, depth: "children" | "descendants") =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { namespace } = yield* requireGroup(input)
      const viewer = viewerOf(input.caller)
      const all_available = input.parameters.all_available ?? viewer.isAdministrator
      return yield* listed(filterOf({ ...input.parameters, all_available }, viewer, { below: namespace.id, depth }), input)
    })
  )

const listShared = route(
  listSharedGroups,
  Effect.fnUntraced(function* (input) {
    const { namespace } = yield* requireGroup(input)
    const { parameters } = input
    const filters = { ...parameters, all_available: null, owned: false }
    return yield* listed(filterOf(filters, viewerOf(input.caller), { invitedInto: namespace.id }), input)
  })
)

const listInvited = route(
  listInvitedGroups,
  Effect.fnUntraced(function* (input) {
    const { namespace } = yield* requireGroup(input)
    const { parameters, request } = input
    const among = { groupId: namespace.id, invited: invitationsOf(parameters.relation) }
    const filter = relatedGroups(among, viewerOf(input.caller), conditionsOf(parameters))
    const { rows, total } = yield* GroupQueries.use((groups) => groups.list(filter, pageOf(parameters)))
    return page(
      rows.map((row) => groupReference(row, request.externalUrl)),
      total
    )
  })
)

const namespaces = route(
  listNamespaces,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const { search, full_path_search: fullPath } = parameters
    const filter = {
      viewer: { userId: caller.user.id, isAdministrator: caller.user.admin },
      ...defined({ search: search ? { text: search, fullPath: fullPath === true } : undefined }),
      ownedOnly: parameters.owned_only === true,
      topLevelOnly: parameters.top_level_only === true
    }
    const { rows, total } = yield* GroupQueries.use((groups) => groups.namespaces(filter, pageOf(parameters)))
    const present = rows.map(({ namespace, role, members }) => {
      const isShown = namespace.kind === "group" && mayAdminister(caller, { role })
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
    const members = isShown ? yield* GroupQueries.use((groups) => groups.countMembers(found.namespace.id)) : undefined
    return ok(presentNamespace(found.namespace, members, request.externalUrl))
  })
)

export const listRoutes = [
  list,
  listBelow(listSubgroups, "children"),
  listBelow(listDescendants, "descendants"),
  listShared,
  listInvited,
  namespaces,
  namespace
]
