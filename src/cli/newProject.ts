import { Effect } from "effect"
import { Flag } from "effect/cli"
import { Maintenance } from "../git/maintenance/Maintenance.ts"
import { Repositories } from "../git/Repositories.ts"
import { Groups, mayCreateProjects } from "../groups/Groups.ts"
import type { UserRow } from "../http/access/Caller.ts"
import { lessVisible } from "../kernel/visibility.ts"
import { Projections } from "../platform/Projections.ts"
import { ceilingsOf } from "../projects/lifecycle/createHandlers.ts"
import { createProject } from "../projects/lifecycle/writes.ts"
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
      NamesTaken: () => fail(`Something else in ${parent} is called ${path}`)
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
