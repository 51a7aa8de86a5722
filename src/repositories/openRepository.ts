import { Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, thingNotFound } from "../http/answer/errors.ts"
import type { Access, GuardInput } from "../http/Endpoint.ts"
import { can, hasFeature, type ReadableProject, requireProject } from "../projects/Projects.ts"
import { requireCode } from "./access.ts"

/** A project whose code the caller may read, with its repository on this machine. */
const opened = Effect.fnUntraced(function* (found: ReadableProject, caller: Caller | undefined) {
  const repositories = yield* Repositories
  if (!(yield* repositories.exists(found.project.id))) return yield* noRepository
  return { ...found, caller, repository: repositories.of(found.project.id) }
})

const noRepository = thingNotFound("Repository")

export type OpenRepository = Effect.Success<ReturnType<typeof opened>>

/** The repository of the path, if the caller may read its code: 403 where not. */
export const openCode = Effect.fnUntraced(function* (input: GuardInput<Access>) {
  return yield* opened(yield* requireCode(input), input.caller)
})

/** Opens a repository for branches and commits, which are answered with 404 where the repository feature is switched off. */
export const openRepository = Effect.fnUntraced(function* ({ caller, path, request }: GuardInput<Access>) {
  const found = yield* requireProject({ parameters: { id: path.id ?? null }, caller, request })
  if (!hasFeature("repository", found.principal, found.project)) return yield* noRepository
  return can("read_code", found.principal, found.project) ? yield* opened(found, caller) : yield* forbidden
})
