import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import { Applier } from "#projections/Applier.ts"
import { createGeneration, createIndexes } from "#projections/generations.ts"
import { projectsReadModel } from "#projections/projects/projection.ts"
import { uuidV7 } from "#src/kernel/uuid.ts"
import type { StoredEvent } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { query, Sql, transact } from "#src/platform/sql/Sql.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectStream } from "#src/projects/ids.ts"
import { starCodec } from "#src/projects/stars/events.ts"
import { starStream } from "#src/projects/stars/ids.ts"
import { userCodec } from "#src/users/events.ts"
import { userStream } from "#src/users/ids.ts"
import { databaseLayer } from "#test/support/database.ts"

type Told = readonly [stream: string, event: StoredEvent]

const [user, project] = [fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })]
const starTold = fc.tuple(fc.constantFrom("ProjectStarred" as const, "ProjectUnstarred" as const), project, user)
const userTold = fc.tuple(fc.constantFrom("UserBlocked" as const, "UserUnblocked" as const), user)
const told: fc.Arbitrary<Told> = fc.oneof(
  {
    weight: 20,
    arbitrary: starTold.map(
      ([_tag, projectId, userId]): Told => [starStream({ projectId, userId }), starCodec.encode({ _tag, projectId, userId })]
    )
  },
  { weight: 5, arbitrary: userTold.map(([_tag, id]): Told => [userStream(id), userCodec.encode({ _tag })]) },
  {
    weight: 1,
    arbitrary: user.map((id): Told => [userStream(id), userCodec.encode({ _tag: "UserDeleted", hardDelete: false })])
  },
  { weight: 1, arbitrary: project.map((id): Told => [projectStream(id), projectCodec.encode({ _tag: "ProjectDeleted" })]) }
)

it.live("stars are counted as they are in the tables, whatever comes together in a batch", () =>
  Effect.gen(function* () {
    const [store, { client }] = [yield* EventStore, yield* Sql]
    yield* query(() =>
      transact(client, async (tx) => {
        await createGeneration(tx, projectsReadModel, "live")
        await createIndexes(tx, projectsReadModel, "live")
      })
    )
    const applier = new Applier(client, "live", [[projectsReadModel, 0]])
    const differences = query(
      () => client`
      select project_id, count(*)::int as stars from rm_projects.stars s
      where not exists (select from rm_projects.inactive_users i where i.user_id = s.user_id) group by project_id
      except select project_id, star_count from rm_projects.star_counts`
    )
    const surplus = query(
      () => client`
      select project_id from rm_projects.star_counts except
      select project_id from rm_projects.stars s
      where not exists (select from rm_projects.inactive_users i where i.user_id = s.user_id)`
    )
    let counted = 0
    for (const batch of fc.sample(fc.array(told, { minLength: 1, maxLength: 8 }), { numRuns: 100, seed: 7 })) {
      for (const [stream, event] of batch)
        yield* store.append(stream, "any", [
          { ...event, id: uuidV7(), metadata: { actor: "system:test", commandId: uuidV7(), correlationId: "test" } }
        ])
      const events = yield* store.readAll(applier.position, 10)
      yield* query(() => applier.apply(events))
      expect([...(yield* differences), ...(yield* surplus)]).toEqual([])
      counted += (yield* query(() => client`select from rm_projects.star_counts`)).length
    }
    expect(counted).toBeGreaterThan(100)
  }).pipe(Effect.provide(layerPostgres.pipe(Layer.provideMerge(databaseLayer), Layer.fresh)), Effect.scoped)
)
