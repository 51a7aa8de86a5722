import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, thingNotFound, WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { type Ability, type Asker, can } from "./abilities.ts"
import { askerOf, type FoundProject, Projects } from "./Projects.ts"

/** A project that the caller may read. */
export interface ReadableProject extends FoundProject {
  readonly who: Asker
}

export const projectNotFound = thingNotFound("Project")

/** The project of an id or full path; fails with `404 Project Not Found` where there is none that the caller may read. */
export const findReadable = Effect.fnUntraced(function* (idText: string | null, caller: Caller | undefined) {
  const found = yield* Projects.use((projects) => projects.find(idText ?? "", caller?.user.id))
  if (found === undefined) return yield* projectNotFound
  const who = askerOf(caller, found.role)
  if (!can("read_project", who, found.project)) return yield* projectNotFound
  const readable: ReadableProject = { ...found, who }
  return readable
})

/** What is answered under an old path: a redirection for reads, a refusal for writes. */
const moved = ({ externalUrl, method, path, query }: RequestInfo, id: number): WireError => {
  if (method !== "GET" && method !== "HEAD") {
    return new WireError({ status: 405, body: { message: "Non GET methods are not allowed for moved projects" } })
  }
  const location = `${externalUrl}${path.replace(/(\/projects\/)[^/]+/, `$1${id}`)}${query === "" ? "" : `?${query}`}`
  return new WireError({
    status: 301,
    body: `This resource has been moved permanently to ${location}`,
    headers: { "content-type": "text/plain", location }
  })
}

/** Of a handler's input: `id` is the project's id or full path. */
interface Asked {
  readonly parameters: { readonly id: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/**
 * The project that a request names as `id`, with the caller's role. Fails with `404 Project Not Found` where it may not be read,
 * with 301 or 405 under an old path, with 403 where the ability is missing.
 */
export const requireProject = Effect.fnUntraced(function* ({ caller, parameters, request }: Asked, ability?: Ability) {
  const found = yield* findReadable(parameters.id, caller)
  if (found.isMoved) return yield* moved(request, found.project.id)
  if (ability !== undefined && !can(ability, found.who, found.project)) return yield* forbidden
  return found
})
