import { Effect } from "effect"
import { Flag } from "effect/cli"
import { Maintenance } from "../git/maintenance/Maintenance.ts"
import { Repositories } from "../git/Repositories.ts"
import { Groups, mayCreateProjects } from "../groups/Groups.ts"
import type { UserRow } from "../http/access/Caller.ts"
import { importAggregate } from "../imports/aggregate.ts"
import { lessVisible } from "../kernel/visibility.ts"
import { history } from "../platform/Commands.ts"
import { Projections } from "../platform/Projections.ts"
import { ceilingsOf } from "../projects/lifecycle/createHandlers.ts"
import { createProject } from "../projects/lifecycle/writes.ts"
import { Projects } from "../projects/Projects.ts"
import { defaultSettings, type SettingsChanges } from "../projects/settings/settings.ts"
import { accountRefusal, Users } from "../users/Users.ts"
import { CommandFailed } from "./exit.ts"

const fail = (message: string) => new CommandFailed({ message })

/** In whose name a command imports. */
export const asFlag = Flag.String("as").pipe(Flag.withDescription("Name or id of the user who imports"), Flag.withDefault("root"))

/** The user in whose name a command imports, by name or id. */
export const actingUser = Effect.fnUntraced(function* (name: string) {
  const user = yield* Users.use((users) => users.findByIdOrUsername(name))
  if (user === undefined) return yield* fail(`There is no user ${name}`)
  const refusal = accountRefusal(user)
  if (refusal !== undefined) return yield* fail(`${user.username} cannot import: ${refusal}`)
  return user
})

/** Read models that lag behind keep nobody from going on. */
export const awaitShown = (position: number) =>
  Effect.ignore(Projections.use((projections) => projections.awaitPosition(position)))

export const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`

/** What begins the correlation id of an import of relations, each of which has one of its own. */
export const relationsCorrelation = "system:cli:"

/** Whether an import of relations failed there: its process was ended before it could remove what it had made. */
const isCutShort = Effect.fnUntraced(function* (projectId: number) {
  const { events, recorded } = yield* history(importAggregate, projectId)
  const isOfRelations = recorded[0]?.metadata.correlationId?.startsWith(relationsCorrelation) === true
  return isOfRelations && events.reduce(importAggregate.evolve, importAggregate.initial)._tag === "Failed"
})

const pathTaken = Effect.fnUntraced(function* (fullPath: string, { id }: UserRow) {
  const found = yield* Projects.use((projects) => projects.find(fullPath, id))
  if (found?.isMoved === false && (yield* isCutShort(found.project.id))) {
    return yield* fail(`${fullPath} is what an import has left that was ended before it was done: delete it first`)
  }
  const at = fullPath.lastIndexOf("/")
  return yield* fail(`Something else in ${fullPath.slice(0, at)} is called ${fullPath.slice(at + 1)}`)
})

/** Creates a project at a full path, in the name of a user, with these settings beside those of every new one; in a group it shows no more than that. */
export const makeProject = Effect.fnUntraced(function* (fullPath: string, user: UserRow, settings: SettingsChanges = {}) {
  const [, parent = "", path = ""] = /^(.+)\/([^/]+)$/.exec(fullPath) ?? []
  if (path === "") return yield* fail("Name the project with its namespace, such as group/project")
  const found = yield* Groups.use((groups) => groups.find(parent, user.id))
  if (found === undefined || found.isMoved) return yield* fail(`There is no group or user ${parent}`)
  if (!mayCreateProjects({ user }, found)) return yield* fail(`${user.username} may not create projects in ${parent}`)
  const { namespace } = found
  const ceilings = ceilingsOf(namespace)
  const all = { ...defaultSettings(path), ...settings }
  const visibility = ceilings.reduce((least, ceiling) => lessVisible(least, ceiling.visibility), all.visibility)
  const input = {
    namespaceId: namespace.id,
    creatorId: user.id,
    ownerId: namespace.owner_id,
    path,
    defaultBranch: null,
    settings: { ...all, visibility },
    forkedFrom: null,
    ceilings
  }
  const created = yield* createProject(input).pipe(
    Effect.catchTags({
      ProjectInvalid: ({ faults }) => fail(faults.map(({ attribute, text }) => `${attribute} ${text}`).join(", ")),
      NamesTaken: () => pathTaken(fullPath, user)
    }),
    Effect.mapError((refusal) => (refusal._tag === "CommandFailed" ? refusal : fail(`${fullPath} cannot be created`)))
  )
  yield* awaitShown(created.position)
  return created.id
})

/** Packs the repository as maintenance does after a push, because the service does not know of this import. */
export const packRepository = Effect.fn("cli.prepare")(
  function* (projectId: number) {
    const [maintenance, repositories] = [yield* Maintenance, yield* Repositories]
    yield* maintenance.maintain(repositories.of(projectId))
  },
  Effect.catchCause((cause) => Effect.logWarning("The repository could not be packed", cause))
)
