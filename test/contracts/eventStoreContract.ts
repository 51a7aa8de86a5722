import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { appendContract } from "./eventStoreAppends.ts"
import { contentContract } from "./eventStoreContents.ts"
import { exactFenceContract, fenceContract } from "./eventStoreFences.ts"
import { readContract } from "./eventStoreReads.ts"
import { otherProcessContract, repeatContract } from "./eventStoreRepeats.ts"
import { subscriptionContract } from "./eventStoreSubscriptions.ts"

export interface ContractOptions {
  /** A store of its own on the same log, as another process has it; absent where a log belongs to one process. */
  readonly otherProcess?: Layer.Layer<EventStore, unknown>
  /** Cuts all connections of the store; absent where there are none. */
  readonly dropConnections?: Effect.Effect<void>
  /** Whether fences are looked at before the append instead of with it. */
  readonly looksAtFencesBefore?: boolean
  /** The largest append in bytes, where there is a limit. */
  readonly maxAppendBytes?: number
}

/** What every event store must do. The log may hold other events, but nobody else may write to it meanwhile. */
export const eventStoreContract = <E>(name: string, store: Layer.Layer<EventStore, E>, options: ContractOptions = {}): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    appendContract(it)
    repeatContract(it)
    readContract(it)
    fenceContract(it)
    contentContract(it, options.maxAppendBytes)
    subscriptionContract(it, options.dropConnections)
    const { otherProcess } = options
    const other =
      otherProcess && Effect.map(Effect.orDie(Layer.build(otherProcess)), (context) => Context.get(context, EventStore))
    if (other !== undefined) otherProcessContract(it, other)
    if (options.looksAtFencesBefore !== true) exactFenceContract(it, other)
  })
