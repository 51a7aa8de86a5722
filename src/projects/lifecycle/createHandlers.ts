import { Effect } from "effect"
import { Groups, mayCreateProjects, type NamespaceRow } from "../../groups/Groups.ts"
import type { Caller, UserRow } from "../../http/access/Caller.ts"
import { forbidden, invalidParameters, thingNotFound, unprocessable, WireError } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { Users } from "../../users/Users.ts"
import type { Ceiling } from "../commands.ts"
import { createProject, createProjectForUser } from "../contract.ts"
import { type ImportRefused, ProjectImports } from "../ProjectImports.ts"
import { ProjectQueries } from "../Queries.ts"
import { presentWritten } from "../reads/view.ts"
import { namespaceIsInvalid, refuse } from "../refuse.ts"
import { namesOf, settingsOf } from "../settings/input.ts"
import { defaultSettings } from "../settings/settings.ts"
import { commitReadme } from "./readmeCommit.ts"
import { createsProject, createProject as write } from "./writes.ts"

type CreateParameters = Omit<Decoded<(typeof createProject)["parameters"]>, "namespace_id">

const limitReached = (limit: number): WireError =>
  new WireError({
    status: 403,
    body: { error: [`Your project limit is ${limit} projects! Please contact your administrator to increase it`] }
  })

/** The namespace in which the caller wants to create something; undefined where there is none for them. Users may lack their own. */
const creatableNamespace = Effect.fnUntraced(function* (idOrPath: number | string | null, caller: Caller) {
  if (idOrPath === null) return undefined
  const found = yield* Groups.use((groups) => groups.find(String(idOrPath), caller.user.id))
  if (found === undefined || found.isMoved || !mayCreateProjects(caller, found)) return undefined
  return found.namespace
})

/** Only personal projects count. A limit that is reached by two requests at the same moment may be passed by one. */
export const requireCapacity = Effect.fnUntraced(function* (namespace: NamespaceRow, owner: UserRow) {
  if (namespace.kind !== "user") return
  const count = yield* ProjectQueries.use((projects) => projects.countIn(namespace.id))
  if (count >= owner.projects_limit) return yield* limitReached(owner.projects_limit)
})

/** Projects of a group show no more than the group. */
export const ceilingsOf = ({ kind, visibility }: Pick<NamespaceRow, "kind" | "visibility">): ReadonlyArray<Ceiling> =>
  kind === "group" ? [{ visibility, of: "group" }] : []

const newProjectOf = (parameters: CreateParameters, namespace: NamespaceRow, creatorId: number) => {
  const { name, path } = namesOf(parameters)
  return {
    namespaceId: namespace.id,
    creatorId,
    ownerId: namespace.owner_id,
    path,
    defaultBranch: parameters.default_branch || null,
    settings: { ...defaultSettings(name), ...settingsOf(parameters) },
    forkedFrom: null,
    ceilings: ceilingsOf(namespace)
  }
}

const refuseImport = ({ message }: ImportRefused): WireError => unprocessable(message)

/** Creates a project for a user in a namespace. */
const written = Effect.fnUntraced(function* (
  parameters: CreateParameters,
  namespaceId: number | null,
  caller: Caller,
  user: UserRow
) {
  const { import_url: address } = parameters
  if (address && !(yield* ProjectImports).isEnabled) return yield* forbidden
  const namespace = yield* creatableNamespace(namespaceId, caller)
  if (namespace === undefined) return yield* namespaceIsInvalid
  yield* requireCapacity(namespace, user)
  if (address)
    yield* Effect.mapError(
      ProjectImports.use((imports) => imports.probe(address)),
      refuseImport
    )
  return yield* refuse(write(newProjectOf(parameters, namespace, user.id)))
})

type Written = Effect.Success<ReturnType<typeof createsProject>>

/** Lets what the request names be imported into the new project. Answers the last that was written. */
const withImport = Effect.fnUntraced(function* (created: Written, { import_url: address }: CreateParameters) {
  if (!address) return created
  return yield* ProjectImports.use((imports) => imports.schedule(created.id, address)).pipe(Effect.mapError(refuseImport))
})

/** What the repository of the new project shall begin with. Answers the last that was written. */
const withContent = Effect.fnUntraced(function* (
  created: Written,
  parameters: CreateParameters,
  author: UserRow,
  { externalUrl }: RequestInfo
) {
  if (!parameters.initialize_with_readme) return yield* withImport(created, parameters)
  const position = yield* commitReadme({ projectId: created.id, author, externalUrl })
  return { stream: created.stream, position: Math.max(created.position, position) }
})

/** Refuses an import together with a README. It is no rule of the declaration, because clients send `false` beside an address. */
const requireOneContent = ({ import_url, initialize_with_readme }: CreateParameters) =>
  import_url && initialize_with_readme
    ? Effect.fail(invalidParameters(["import_url, initialize_with_readme are mutually exclusive"]))
    : Effect.void

const create = route(
  createProject,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { namespace_id, ...projectParameters } = parameters
    yield* requireOneContent(projectParameters)
    const namespaceId = namespace_id ?? caller.user.namespace_id
    const created = yield* refuse(createsProject(written(projectParameters, namespaceId, caller, caller.user)))
    yield* awaitReadModels(yield* withContent(created, projectParameters, caller.user, input.request))
    return ok(yield* presentWritten(created.id, input))
  })
)

const createForUser = route(
  createProjectForUser,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { namespace_id, user_id, ...projectParameters } = parameters
    yield* requireOneContent(projectParameters)
    const userId = user_id ?? (yield* thingNotFound("User"))
    const user = yield* Users.use((users) => users.find(userId))
    if (user === undefined) return yield* thingNotFound("User")
    const created = yield* refuse(createsProject(written(projectParameters, namespace_id ?? user.namespace_id, caller, user)))
    yield* awaitReadModels(yield* withContent(created, projectParameters, user, input.request))
    return ok(yield* presentWritten(created.id, input))
  })
)

export const createRoutes = [create, createForUser]
