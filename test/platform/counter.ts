import { Effect, Result, Schema } from "effect"
import { defined } from "#src/kernel/defined.ts"
import type { Aggregate } from "#src/platform/Aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"

export const CounterEvent = Schema.TaggedUnion({ Counted: { by: Schema.Int }, Closed: {} })
type CounterEvent = typeof CounterEvent.Type
type Command = { readonly _tag: "Count"; readonly by: number } | { readonly _tag: "Close" }

/** Counts; counting by 0 adds nothing, and a closed counter refuses. */
export const counter: Aggregate<string, Command, number | "closed", CounterEvent, "Closed"> = {
  initial: 0,
  decide: (command, state) => {
    if (state === "closed") return Result.fail("Closed")
    if (command._tag === "Close") return Result.succeed([CounterEvent.cases.Closed.make({})])
    return Result.succeed(command.by === 0 ? [] : [CounterEvent.cases.Counted.make({ by: command.by })])
  },
  evolve: (state, event) => (event._tag === "Closed" || state === "closed" ? "closed" : state + event.by),
  codec: eventCodec(CounterEvent),
  stream: (name) => `counter-${name}`
}

export const count = (by: number, commandId?: string) => handle(counter, "a", { _tag: "Count", by }, defined({ commandId }))

/** What a count answers where the log has nothing else; of 0 nothing was added. */
export const counted = (by: number, state: number, revision: number) => ({
  stream: "counter-a",
  events: by === 0 ? [] : [{ _tag: "Counted", by }],
  state,
  revision,
  position: revision + 1
})

/** Counts as another process does: this one does not know of it. */
export const countElsewhere = (by: number) =>
  EventStore.use((store) =>
    store.append("counter-a", "any", [
      {
        id: crypto.randomUUID(),
        ...counter.codec.encode(CounterEvent.cases.Counted.make({ by })),
        metadata: { actor: "system:elsewhere", commandId: crypto.randomUUID(), correlationId: "elsewhere" }
      }
    ])
  ).pipe(Effect.orDie)
