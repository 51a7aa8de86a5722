import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { conflict, forbidden, thingNotFound, WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { Groups, mayReadGroup } from "./Groups.ts"
import { type FoundGroup, mayAdminister } from "./permissions.ts"

export const groupNotFound = thingNotFound("Group")
export const movedMeanwhile = conflict("The group was moved or renamed at the same time")

/** The group of an id or full path; fails with `404 Group Not Found` where there is none that the caller may read. */
export const findReadable = Effect.fnUntraced(function* (idOrPath: string | null, caller: Caller | undefined) {
  const found = yield* Groups.use((groups) => groups.find(idOrPath ?? "", caller?.user.id))
  if (found === undefined || found.namespace.kind !== "group" || !mayReadGroup(caller, found)) return yield* groupNotFound
  const group: FoundGroup = { ...found, namespace: found.namespace }
  return group
})

/** What is answered under a former path. Gap: shown for projects only; groups are answered alike. */
const moved = ({ externalUrl, method, path, query }: RequestInfo, id: number): WireError => {
  if (method !== "GET" && method !== "HEAD") {
    return new WireError({ status: 405, body: { message: "Non GET methods are not allowed for moved groups" } })
  }
  const location = `${externalUrl}${path.replace(/(\/groups\/)[^/]+/, `$1${id}`)}${query === "" ? "" : `?${query}`}`
  const body = `This resource has been moved permanently to ${location}`
  return new WireError({ status: 301, body, headers: { location, "content-type": "text/plain" } })
}

/** The part of a handler's input that names a group: `id` is its id or full path. */
export interface GroupInput {
  readonly parameters: { readonly id: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/**
 * The group that a request names as `id`, with the caller's role. Fails with `404 Group Not Found` where it may not be read,
 * with 301 or 405 under a former path, with 403 where the caller is to be an owner and is not.
 */
export const requireGroup = Effect.fnUntraced(function* ({ caller, parameters, request }: GroupInput, right?: "administer") {
  const found = yield* findReadable(parameters.id, caller)
  if (found.isMoved) return yield* moved(request, found.namespace.id)
  if (right === "administer" && !mayAdminister(caller, found)) return yield* forbidden
  return found
})

/** The group of a request that only owners may send. */
export const ownedGroup = (input: GroupInput) => Effect.map(requireGroup(input, "administer"), ({ namespace }) => namespace)
