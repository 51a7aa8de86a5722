import { Effect, ManagedRuntime } from "effect"
import { Applier } from "#projections/Applier.ts"
import { prepareReadModels } from "#projections/generations.ts"
import { readModels } from "#projections/readModels.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { NameHolders } from "#src/platform/NameHolders.ts"
import { CurrentOrigin, systemOrigin } from "#src/platform/Origin.ts"
import { reserve } from "#src/platform/Reservations.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { createAdministrator } from "#src/users/lifecycle/createAdministrator.ts"
import { heldByUser } from "#src/users/names.ts"
import { storeAt } from "../ours/store.ts"
import type { Story } from "./Story.ts"

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
const tellAll = Effect.fnUntraced(function* (parts: Iterable<ReadonlyArray<Story>>) {
  for (const stories of parts) yield* Effect.forEach(stories, tell, { concurrency: 256, discard: true })
})

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

/** Fills a database: `root`, then the parts, one after the other, as a log and as read models. */
export const fill = async (databaseUrl: string, parts: Iterable<ReadonlyArray<Story>>): Promise<void> => {
  const runtime = ManagedRuntime.make(storeAt(databaseUrl))
  const root = { username: "root", name: "Administrator", email: "admin@example.com" }
  const filled = Effect.gen(function* () {
    yield* Effect.provide(createAdministrator(root), NameHolders.layer([heldByUser]))
    yield* tellAll(parts)
    yield* project(databaseUrl)
  })
  await runtime.runPromise(Effect.provideService(filled, CurrentOrigin, systemOrigin("benchmark")))
  await runtime.dispose()
}
