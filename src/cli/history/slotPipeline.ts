import { Effect, Result } from "effect"
import { pipelineStream } from "../../pipelines/ids.ts"
import { EventStore, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { slotCodec } from "../../schedules/slots/events.ts"

/**
 * How the pipeline of a slot began, by the slot's first event; nothing where there is none. How the slot ended does not tell whether there is
 * one: a scheduler that went on with the slot of another one ends it also where its pipeline was made.
 */
export const pipelineBeginning = (first: RecordedEvent) => {
  const slot = Result.getOrUndefined(slotCodec.decode(first))
  if (slot?._tag !== "SlotStarted") return Effect.succeed([])
  return EventStore.use((store) => store.read(pipelineStream(slot.pipelineId), { limit: 1 }))
}
