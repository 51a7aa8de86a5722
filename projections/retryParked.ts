import { Effect } from "effect"
import { withPauses } from "#src/kernel/inSlices.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { attempt, type Client, transaction } from "#src/platform/sql/Sql.ts"
import { projecting, projectionsByType } from "./projectBatch.ts"
import type { ReadModel } from "./ReadModel.ts"
import { send, writing } from "./writeChanges.ts"

interface ParkedRow {
  readonly stream: string
  readonly revision: number
}

const retryStream = (client: Client, readModel: ReadModel, parked: ParkedRow) =>
  transaction(client, (tx) =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [checkpoint] = yield* attempt(
        () => tx<Array<{ position: number }>>`
          select position from chronoforge.read_models where name = ${readModel.name} and generation = 'live' for update`
      )
      const events = yield* store.read(parked.stream, { from: parked.revision })
      const projected = events.filter((event) => event.position <= (checkpoint?.position ?? 0))
      const { changes, poison } = yield* Effect.promise(() =>
        withPauses(projecting(readModel, projectionsByType(readModel), projected, new Set()))
      )
      if (poison.length > 0) return
      const writes = yield* Effect.promise(() => withPauses(writing(readModel, "live", changes)))
      for (const write of writes) yield* attempt(() => send(tx, write))
      yield* attempt(
        () => tx`delete from chronoforge.parked_streams
          where read_model = ${readModel.name} and generation = 'live' and stream = ${parked.stream}`
      )
    })
  )

/** Replays the parked streams of a read model, each in order from the event that parked it. What still fails stays parked. */
export const retryParked = (client: Client, readModel: ReadModel) =>
  Effect.gen(function* () {
    const rows = yield* attempt(
      () => client<Array<ParkedRow>>`
        select stream, revision from chronoforge.parked_streams
        where read_model = ${readModel.name} and generation = 'live' order by position`
    )
    yield* Effect.forEach(rows, (row) => Effect.ignore(retryStream(client, readModel, row)), { discard: true })
  })
