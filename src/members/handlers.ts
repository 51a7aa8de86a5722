import { addRoute } from "./addHandlers.ts"
import { changeRoute, removeRoute } from "./changeHandlers.ts"
import { memberEndpoints } from "./contract.ts"
import type { MemberSource } from "./MemberSource.ts"
import { readRoutes } from "./readHandlers.ts"

/** The routes of the members of groups, or of projects. */
export const memberRoutes = <R>(source: MemberSource<R>) => {
  const endpoints = memberEndpoints(source.area)
  return [
    ...readRoutes(source, endpoints),
    addRoute(source, endpoints),
    changeRoute(source, endpoints),
    removeRoute(source, endpoints)
  ]
}
