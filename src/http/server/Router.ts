import { FindMyWay } from "effect/http"
import { paginationParameters } from "../answer/pagination.ts"
import type { Endpoint, Route } from "../Endpoint.ts"
import { compileParameters } from "../parameters/decodeParameters.ts"
import type { ParameterTable } from "../parameters/parameters.ts"

/** A route with what is made of its declaration once. */
export interface CompiledRoute<R> {
  readonly endpoint: Endpoint
  readonly isOffered: Route<R>["isOffered"]
  readonly guard: Route<R>["guard"]
  readonly run: Route<R>["run"]
  /** The declared parameters, with those of pagination. */
  readonly table: ParameterTable
  readonly decode: ReturnType<typeof compileParameters<ParameterTable>>
}

export interface Match<R> {
  readonly route: CompiledRoute<R>
  readonly path: Readonly<Record<string, string | undefined>>
}

export interface Router<R> {
  /** The route of a method and path, without query; undefined when there is none. */
  readonly find: (method: string, path: string) => Match<R> | undefined
  /** Methods that a path knows; empty when there is none. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const pathNamesOf = ({ path }: Endpoint): ReadonlySet<string> =>
  new Set([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name))

export const compileRoute = <R>({ endpoint, guard, isOffered, run }: Route<R>): CompiledRoute<R> => {
  const table = endpoint.paginated === true ? { ...endpoint.parameters, ...paginationParameters } : endpoint.parameters
  return { endpoint, isOffered, guard, run, table, decode: compileParameters(table, endpoint.groups, pathNamesOf(endpoint)) }
}

/** The path of a route, such as `/users/:id`, with the patterns of its parameters as the router writes them. */
const patterned = ({ path, patterns = {}, rest }: Endpoint): string =>
  path.replace(/:(\w+)/g, (whole, name: string) => {
    if (name === rest) return "*"
    const pattern = patterns[name]
    return pattern === undefined ? whole : `${whole}(^${pattern.source}$)`
  })

const matchOf = <R>(found: FindMyWay.FindResult<CompiledRoute<R>> | undefined): Match<R> | undefined => {
  const rest = found?.handler.endpoint.rest
  if (found === undefined || rest === undefined) return found && { route: found.handler, path: found.params }
  const { "*": text, ...path } = found.params
  return { route: found.handler, path: { ...path, [rest]: text } }
}

export const makeRouter = <R>(routes: ReadonlyArray<Route<R>>, prefix: string): Router<R> => {
  const table = FindMyWay.make<CompiledRoute<R>>({ caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: 4096 })
  for (const each of routes)
    table.on(each.endpoint.method, `${prefix}${patterned(each.endpoint)}` as `/${string}`, compileRoute(each))
  const find = (method: string, path: string): Match<R> | undefined => {
    const known = method === "HEAD" ? "GET" : method
    const found = table.find(known, path)
    if (!path.endsWith(".json") || found?.handler.endpoint.keepsFormat === true) return matchOf(found)
    // `/user/keys.json` is `/user/keys`: the reference answers JSON whatever format is asked for.
    const stripped = table.find(known, path.slice(0, -5))
    return stripped?.handler.endpoint.keepsFormat === true ? undefined : matchOf(stripped)
  }
  return {
    find,
    methods: (path) => {
      const known = methods.filter((method) => find(method, path) !== undefined)
      return known.includes("GET") ? ["OPTIONS", ...known, "HEAD"] : known.length === 0 ? [] : ["OPTIONS", ...known]
    }
  }
}
