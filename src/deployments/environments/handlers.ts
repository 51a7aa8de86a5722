import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { forbidden, invalidParameters, invalidRecord, notFound } from "../../http/answer/errors.ts"
import { presentFaults } from "../../http/answer/faults.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { projectNotFound, type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { presentAllSimple } from "../../projects/ProjectViews.ts"
import { environmentFaults, environmentKey, externalUrlFaults } from "../names.ts"
import { presentEnvironment, presentEnvironmentDetails } from "../present.ts"
import { DeploymentQueries } from "../Queries.ts"
import { type Command, environmentAggregate } from "./aggregate.ts"
import {
  changeEnvironment,
  createEnvironment as declaredEnvironment,
  deleteEnvironment,
  listEnvironments,
  readEnvironment,
  stopEnvironment
} from "./contract.ts"
import { createEnvironment } from "./writes.ts"

const reading = "read_environments"
const deploying = "create_deployment"

type Id = number | null | undefined

const requireEnvironment = Effect.fnUntraced(function* ({ project }: ReadableProject, id: Id) {
  const { environment } = yield* DeploymentQueries
  const row = id === null || id === undefined ? undefined : yield* environment(project.id, id)
  return row ?? (yield* notFound)
})

type Viewing = Parameters<typeof presentAllSimple>[1]

/** The project of environments, as each of them shows it. */
const projectOf = Effect.fnUntraced(function* ({ project }: ReadableProject, { caller, request }: Viewing) {
  const [shown] = yield* presentAllSimple([project.id], { caller, request })
  return shown ?? (yield* projectNotFound)
})

/** The environment of an id as it is shown. */
const shown = Effect.fnUntraced(function* (found: ReadableProject, id: Id, viewing: Viewing) {
  return presentEnvironment(yield* requireEnvironment(found, id), yield* projectOf(found, viewing))
})

/** What is searched for is long enough for few to have it. */
const minSearch = 3
const tooShort = invalidRecord({ search: [`Search term must have at least ${minSearch} characters`] })

const list = route(
  listEnvironments,
  Effect.fnUntraced(function* (input) {
    const { name, search, states } = input.parameters
    const found = yield* requireProject(input, reading)
    if (search && search.length < minSearch) return yield* tooShort
    if (states === "stopping") return page([], 0)
    const wanted = defined({ name: name || undefined, search: search || undefined, state: states ?? undefined })
    const filter = { projectId: found.project.id, ...wanted }
    const { extent, rows } = yield* DeploymentQueries.use(({ environments }) => environments(filter, pageOf(input.parameters)))
    if (rows.length === 0) return page([], extent)
    const project = yield* projectOf(found, input)
    return page(
      rows.map((row) => presentEnvironment(row, project)),
      extent
    )
  })
)

const read = route(
  readEnvironment,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input, reading)
    const row = yield* requireEnvironment(found, input.parameters.environment_id)
    const last = yield* DeploymentQueries.use((queries) => queries.last(row.id))
    const { externalUrl } = input.request
    return ok(presentEnvironmentDetails(row, { project: yield* projectOf(found, input), last, externalUrl }))
  })
)

/** A slug is refused first of all, whoever sends it. */
const refuseSlug = ({ slug }: { readonly slug?: string | null }) =>
  slug === undefined ? Effect.void : Effect.fail(invalidParameters(["slug is automatically generated and cannot be changed"]))

const requireNone = (faults: ReturnType<typeof environmentFaults>) =>
  faults.length === 0 ? Effect.void : Effect.fail(invalidRecord(presentFaults(faults)))

const nameTaken = invalidRecord({ name: ["has already been taken"] })

const create = route(
  declaredEnvironment,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    yield* refuseSlug(parameters)
    const found = yield* requireProject(input, deploying)
    const [name, externalUrl] = [parameters.name ?? "", parameters.external_url || null]
    const named = { projectId: found.project.id, name }
    const tier = defined({ tier: parameters.tier ?? undefined })
    const make = Effect.andThen(
      requireNone(environmentFaults(name, externalUrl)),
      createEnvironment({ ...named, by: caller.user.id, externalUrl, ...tier })
    )
    const made = yield* Effect.catchTags(changes(environmentAggregate, environmentKey(named), make), {
      EnvironmentExists: () => Effect.fail(nameTaken),
      EnvironmentMissing: Effect.die,
      EnvironmentAvailable: Effect.die
    })
    yield* awaitReadModels(made)
    return ok(yield* shown(found, made.events[0]?.id, input))
  })
)

interface Ordering {
  readonly caller: Caller
  readonly parameters: { readonly environment_id: number | null }
}

/** Orders something of the environment that a request names, which may be gone in the repeat of a request that deleted it. */
const order = Effect.fnUntraced(function* (
  found: ReadableProject,
  { caller, parameters }: Ordering,
  commandOf: (order: { readonly id: number; readonly by: number }) => Exclude<Command, { readonly _tag: "Create" }>
) {
  const id = parameters.environment_id ?? (yield* notFound)
  const projectId = found.project.id
  const name = (yield* DeploymentQueries.use(({ nameOf }) => nameOf(projectId, id))) ?? (yield* notFound)
  const key = environmentKey({ projectId, name })
  const command = commandOf({ id, by: caller.user.id })
  const ordered = yield* Effect.catchTags(changes(environmentAggregate, key, handle(environmentAggregate, key, command)), {
    EnvironmentExists: Effect.die,
    EnvironmentMissing: () => Effect.fail(notFound),
    EnvironmentAvailable: () => Effect.fail(forbidden)
  })
  yield* awaitReadModels(ordered)
  return id
})

const change = route(
  changeEnvironment,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    yield* refuseSlug(parameters)
    const found = yield* requireProject(input, deploying)
    const { external_url: address, tier } = parameters
    const externalUrl = address === undefined ? undefined : address || null
    const changes = defined({ externalUrl, tier: tier ?? undefined })
    yield* requireEnvironment(found, parameters.environment_id)
    yield* requireNone(externalUrlFaults(externalUrl ?? null))
    const id = yield* order(found, input, (of) => ({ _tag: "Change", ...of, changes }))
    return ok(yield* shown(found, id, input))
  })
)

const stop = route(
  stopEnvironment,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input, deploying)
    const id = yield* order(found, input, (of) => ({ _tag: "Stop", ...of }))
    return ok(yield* shown(found, id, input))
  })
)

const remove = route(
  deleteEnvironment,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input, deploying)
    yield* order(found, input, (of) => ({ _tag: "Delete", ...of }))
    return noContent
  })
)

export const environmentRoutes = [list, create, read, change, stop, remove]
