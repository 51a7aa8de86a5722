import { Effect, ManagedRuntime } from "effect"
import { Applier } from "#projections/Applier.ts"
import { prepareReadModels } from "#projections/generations.ts"
import { readModels } from "#src/composition.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { NameHolders } from "#src/platform/NameHolders.ts"
import { CurrentOrigin, systemOrigin } from "#src/platform/Origin.ts"
import { reserve } from "#src/platform/Reservations.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { createAdministrator } from "#src/users/lifecycle/createAdministrator.ts"
import { heldByUser } from "#src/users/names.ts"
import type { Databases } from "../database.ts"
import { storeAt } from "../ours/store.ts"
import { makeRandom } from "../random.ts"
import { groupStories, makeGroups } from "./groups.ts"
import { activityStories, projectStories } from "./projects.ts"
import { makeRepositories } from "./repositories.ts"
import type { Story } from "./Story.ts"
import { userStories } from "./users.ts"

/** What a service is started with. */
export interface Installation {
  readonly databaseUrl: string
  readonly dataDir: string
}

const tell = Effect.fnUntraced(function* ({ events, names, stream }: Story) {
  const store = yield* EventStore
  for (const name of names) yield* reserve(name, stream, () => Effect.succeed(true))
  const metadata = { actor: "system:benchmark", commandId: uuidV7(), correlationId: uuidV7() }
  yield* store.append(
    stream,
    "noStream",
    events.map((event) => ({ ...event, id: uuidV7(), metadata }))
  )
})

/** Appends the parts one after the other, with many appends at a time within a part. */
const tellAll = (parts: ReadonlyArray<ReadonlyArray<Story>>) =>
  Effect.forEach(parts, (stories) => Effect.forEach(stories, tell, { concurrency: 256, discard: true }), { discard: true })

/** Fills the read models as the service does it. */
const project = Effect.fnUntraced(function* (databaseUrl: string) {
  const { readAll } = yield* EventStore
  const client = makeClient(databaseUrl, { connections: 2, name: "chronoforge-bench", relaxedCommit: true })
  yield* prepareReadModels(client, readModels)
  const live = new Applier(
    client,
    "live",
    readModels.map((readModel) => [readModel, 0])
  )
  for (let page = yield* readAll(0, 5_000); page.length > 0; page = yield* readAll(live.position, 5_000)) {
    const parked = yield* Effect.promise(() => live.apply(page))
    if (parked > 0) throw new Error("Events of the installation could not be projected")
  }
  yield* Effect.promise(() => client.unsafe("vacuum analyze"))
  yield* Effect.promise(() => client.end())
})

/**
 * Makes an installation of 10,000 projects with repositories, 500 groups and 5,000 users, which have members, stars and pushes: its
 * log, its read models, and its repositories in `dataDir`. It is the same each time, but for ids of events and times.
 */
export const makeInstallation = async (
  databases: Databases,
  { dataDir, name }: { readonly dataDir: string; readonly name: string }
): Promise<Installation> => {
  const databaseUrl = await databases.migrated(name)
  const tip = await makeRepositories(dataDir)
  const random = makeRandom(1)
  const groups = makeGroups(random)
  const parts = [userStories(random), groupStories(groups, random), projectStories(groups, random), activityStories(tip, random)]
  const runtime = ManagedRuntime.make(storeAt(databaseUrl))
  const root = { username: "root", name: "Administrator", email: "admin@example.com" }
  const made = Effect.gen(function* () {
    yield* Effect.provide(createAdministrator(root), NameHolders.layer([heldByUser]))
    yield* tellAll(parts)
    yield* project(databaseUrl)
  })
  await runtime.runPromise(Effect.provideService(made, CurrentOrigin, systemOrigin("benchmark")))
  await runtime.dispose()
  return { databaseUrl, dataDir }
}
