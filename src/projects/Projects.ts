import { Context, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, thingNotFound, WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { SnakeCased } from "../kernel/letterCase.ts"
import { type Ability, can, type Principal } from "./abilities.ts"
import type { ProjectSettings } from "./settings/settings.ts"

/** A project of the read model. Times are milliseconds since 1970. */
export interface ProjectRow extends SnakeCased<ProjectSettings> {
  readonly id: number
  readonly namespace_id: number
  readonly creator_id: number
  readonly path: string
  /** The full path, such as `group/subgroup/path`. */
  readonly path_with_namespace: string
  readonly archived: boolean
  /** The branch; null until it is chosen or pushed. */
  readonly default_branch: string | null
  /** Whether nothing was ever pushed. */
  readonly empty_repo: boolean
  /** The name of the README at the root of the default branch; null for none. */
  readonly readme: string | null
  /** The project that it is a fork of. */
  readonly forked_from_id: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_activity_at: number
}

/** A project together with the role that somebody has in it. */
export interface FoundProject {
  readonly project: ProjectRow
  /** The highest access level, inherited ones included; 0 for none. */
  readonly role: number
  /** Whether the path that was asked for is an old one. */
  readonly isMoved: boolean
}

/** What a push to a protected branch or tag needs. */
export interface ProtectedRefRow {
  readonly id: number
  readonly project_id: number
  readonly kind: "branch" | "tag"
  /** A name, or a pattern with `*`. */
  readonly name: string
  readonly allow_force_push: boolean
  readonly push_access_levels: ReadonlyArray<AccessLevelRow>
  /** The levels; there are none for a tag. */
  readonly merge_access_levels: ReadonlyArray<AccessLevelRow>
  /** The time is in milliseconds since 1970. */
  readonly updated_at: number
}

/** The lowest access level that may, 0 for nobody. A grant to a single user or deploy key names them. */
export interface AccessLevelRow {
  readonly id: number
  readonly access_level: number
}

/** What other areas may ask of projects. */
export class Projects extends Context.Service<
  Projects,
  {
    /** Digits are an id; anything else a full path, in any case, old ones included. Without user the role is 0. */
    readonly find: (idOrPath: string, userId: number | undefined) => Effect.Effect<FoundProject | undefined>
    /** The protected refs by name. */
    readonly protectedRefs: (projectId: number, kind: "branch" | "tag") => Effect.Effect<ReadonlyArray<ProtectedRefRow>>
  }
>()("chronoforge/projects/Projects") {}

/** The principal of a caller with a role in a project. */
export const principalOf = (caller: Pick<Caller, "user"> | undefined, role: number): Principal => ({
  role,
  isAdministrator: caller?.user.admin === true,
  isSignedIn: caller !== undefined,
  isExternal: caller?.user.external === true
})

/** A project that the caller may read. */
export type Readable<Found> = Found & { readonly principal: Principal }
export type ReadableProject = Readable<FoundProject>

export const projectNotFound = thingNotFound("Project")

const readable = <Found extends FoundProject>(
  found: Found | undefined,
  caller: Pick<Caller, "user"> | undefined
): Effect.Effect<Readable<Found>, WireError> => {
  if (found === undefined) return Effect.fail(projectNotFound)
  const principal = principalOf(caller, found.role)
  return can("read_project", principal, found.project) ? Effect.succeed({ ...found, principal }) : Effect.fail(projectNotFound)
}

/** The project of an id or full path; fails with `404 Project Not Found` where there is none that the caller may read. */
export const findReadable = Effect.fnUntraced(function* (idText: string | null, caller: Pick<Caller, "user"> | undefined) {
  return yield* readable(yield* Projects.use((projects) => projects.find(idText ?? "", caller?.user.id)), caller)
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

/** The part of a handler's input that names a project: `id` is its id or full path. */
export interface ProjectInput {
  readonly parameters: { readonly id: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

/**
 * What was found for the `id` of a request, with the caller's role. Fails with `404 Project Not Found` where it may not be read, with
 * 301 or 405 under an old path, with 403 where the ability is missing.
 */
export const requireFound = Effect.fnUntraced(function* <Found extends FoundProject>(
  found: Found | undefined,
  { caller, request }: Omit<ProjectInput, "parameters">,
  ability?: Ability
) {
  const project = yield* readable(found, caller)
  if (project.isMoved) return yield* moved(request, project.project.id)
  if (ability !== undefined && !can(ability, project.principal, project.project)) return yield* forbidden
  return project
})

/** The project that a request names as `id`, with the caller's role; fails as `requireFound`. */
export const requireProject = Effect.fnUntraced(function* (input: ProjectInput, ability?: Ability) {
  const { caller, parameters } = input
  const found = yield* Projects.use((projects) => projects.find(parameters.id ?? "", caller?.user.id))
  return yield* requireFound(found, input, ability)
})

export { type Ability, can, hasFeature, mayGiveVariables, type Principal } from "./abilities.ts"
