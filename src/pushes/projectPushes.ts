import { Effect, Layer } from "effect"
import { EventStore } from "../platform/eventStore/EventStore.ts"
import { ProjectPushes } from "../projects/ProjectPushes.ts"
import { repositoryStream } from "./ids.ts"
import { Reconciliation } from "./Reconciliation.ts"
import { recordDifference } from "./recordDifference.ts"

type Needed = Effect.Services<ReturnType<typeof recordDifference>>

/** Answers what projects ask of pushes. */
export const layerProjectPushes = Layer.effect(
  ProjectPushes,
  Effect.gen(function* () {
    const [store, { schedule }] = [yield* EventStore, yield* Reconciliation]
    const services = yield* Effect.context<Needed>()
    return ProjectPushes.of({
      hasBegun: (projectId) => Effect.map(store.read(repositoryStream(projectId), { limit: 1 }), ({ length }) => length > 0),
      recordDifference: (projectId) =>
        recordDifference(projectId).pipe(
          Effect.onError(() => schedule(projectId)),
          Effect.orDie,
          Effect.provide(services)
        ),
      reconcile: schedule
    })
  })
)
