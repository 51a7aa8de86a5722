import { FindMyWay } from "effect/http"
import { compileParameters } from "./decodeParameters.ts"
import type { Endpoint, Route } from "./Endpoint.ts"
import { paginationParameters } from "./pagination.ts"
import type { ParameterTable } from "./parameters.ts"

/** A route with what is made of its declaration once. */
export interface CompiledRoute<R> {
  readonly endpoint: Endpoint
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

export const compileRoute = <R>({ endpoint, run }: Route<R>): CompiledRoute<R> => {
  const table = endpoint.paginated === true ? { ...endpoint.parameters, ...paginationParameters } : endpoint.parameters
  return { endpoint, run, table, decode: compileParameters(table, endpoint.groups) }
}

/** `/user/keys.json` is `/user/keys`: the reference answers JSON whatever format is asked for. */
const withoutFormat = (path: string): string => (path.endsWith(".json") ? path.slice(0, -5) : path)

export const makeRouter = <R>(routes: ReadonlyArray<Route<R>>, prefix: string): Router<R> => {
  const table = FindMyWay.make<CompiledRoute<R>>({ caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: 4096 })
  for (const each of routes) table.on(each.endpoint.method, `${prefix}${each.endpoint.path}` as `/${string}`, compileRoute(each))
  const find = (method: string, path: string): Match<R> | undefined => {
    const found = table.find(method === "HEAD" ? "GET" : method, withoutFormat(path))
    return found === undefined ? undefined : { route: found.handler, path: found.params }
  }
  return {
    find,
    methods: (path) => {
      const known = methods.filter((method) => find(method, path) !== undefined)
      return known.includes("GET") ? ["OPTIONS", ...known, "HEAD"] : known.length === 0 ? [] : ["OPTIONS", ...known]
    }
  }
}
