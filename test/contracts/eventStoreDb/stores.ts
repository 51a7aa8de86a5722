import { assert } from "@effect/vitest"
import { EventStoreDBClient } from "@eventstore/db-client"
import { Cause, Context, Effect, Exit, Layer, Logger, Redacted } from "effect"
import { EventStore, EventStoreUnavailable } from "#src/platform/eventStore/EventStore.ts"
import { layerEventStoreDb } from "#src/platform/eventStore/eventStoreDb/eventStoreDb.ts"

export const storeAt = (url: string) => layerEventStoreDb(Redacted.make(url))

/** A store of its own, until the scope ends. */
export const storeOf = (url: string) => Effect.map(Layer.build(storeAt(url)), (context) => Context.get(context, EventStore))

/** For tests that expect lines in the log. */
export const silence = Logger.layer([])

/** What an operator has: a client that knows nothing of the service. */
export const operatorAt = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => EventStoreDBClient.connectionString(url)),
    (client) => Effect.promise(client.dispose)
  )

/** The text with which an effect fails as a log does that is unavailable. */
export const unavailability = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit))
    const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    assert.instanceOf(defect, EventStoreUnavailable)
    return defect.message
  })
