import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { notFound } from "../../http/answer/errors.ts"
import type { Route } from "../../http/Endpoint.ts"
import { type ProjectInput, type Projects, requireProject } from "../Projects.ts"

const requireRepository = Effect.fnUntraced(function* (input: ProjectInput) {
  const { project } = yield* requireProject(input)
  if (!(yield* Repositories.use(({ exists }) => exists(project.id)))) return yield* notFound
})

/** Where a project is deleted while a request to it runs that is told, and not what failed for it. */
export const unlessDeleted = <R>(route: Route<R>): Route<R | Projects | Repositories> =>
  route.endpoint.path.startsWith("/projects/:id")
    ? {
        ...route,
        run: (input) => {
          const { caller, parameters, request } = input
          const project = { caller, request, parameters: { id: typeof parameters.id === "string" ? parameters.id : null } }
          return Effect.catchDefect(route.run(input), (defect) => Effect.andThen(requireRepository(project), Effect.die(defect)))
        }
      }
    : route
