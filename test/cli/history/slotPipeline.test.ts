import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { printHistory } from "#src/cli/history/printHistory.ts"
import { pipelineBeginning } from "#src/cli/history/slotPipeline.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { SlotEvent, slotCodec } from "#src/schedules/slots/events.ts"

const { SlotEnded, SlotStarted, SlotsSkipped } = SlotEvent.cases
const plan = { scheduleId: 4, nextRun: null } as const
const started = SlotStarted.make({ ...plan, at: 1, rule: "normal", pipelineId: 131 })
const skipped = SlotsSkipped.make({ ...plan, slots: [1], isCutShort: false, reason: "missed" })
const [schedule, slot, pipeline] = ["schedule-4", "scheduleSlot-4-1", "pipeline-131"]

interface Told {
  readonly slot: ReadonlyArray<SlotEvent>
  readonly isPipelineThere: boolean
  /** Whether somebody lets the schedule run before the pipeline is there. */
  readonly isPlayedMeanwhile?: boolean
}

/** The types of the events that the history of a schedule with one slot tells, in order. */
const historyOf = Effect.fnUntraced(function* (told: Told) {
  const { append } = yield* EventStore
  const metadata = { actor: "system:scheduler", commandId: "c", correlationId: "c" }
  const add = (stream: string, events: ReadonlyArray<{ type: string; schemaVersion: number; data: unknown }>) =>
    append(
      stream,
      "any",
      events.map((event, index) => ({ ...event, id: `${event.type}-${index}`, metadata }))
    )
  const types: Array<string> = []
  yield* add(schedule, [{ type: "ScheduleCreated", schemaVersion: 1, data: {} }])
  yield* add(slot, told.slot.map(slotCodec.encode))
  if (told.isPlayedMeanwhile === true) yield* add(schedule, [{ type: "Played", schemaVersion: 1, data: {} }])
  if (told.isPipelineThere)
    yield* add(
      pipeline,
      ["PipelineCreated", "PipelineMoved"].map((type) => ({ type, schemaVersion: 1, data: {} }))
    )
  yield* printHistory({ streams: [schedule], parts: () => Effect.succeed([slot]), behind: pipelineBeginning }, (events) =>
    Effect.sync(() => types.push(...events.map(({ type }) => type)))
  )
  return types
})

describe("the pipeline of a slot in the history of its schedule", () => {
  const rows: ReadonlyArray<readonly [name: string, told: Told, expected: ReadonlyArray<string>]> = [
    ["made at once", { slot: [started], isPipelineThere: true }, ["SlotStarted", "PipelineCreated"]],
    [
      "made after the schedule was played",
      { slot: [started], isPipelineThere: true, isPlayedMeanwhile: true },
      ["SlotStarted", "PipelineCreated", "Played"]
    ],
    [
      "made by a scheduler that went on with the slot",
      { slot: [started, SlotEnded.make({ outcome: "created" })], isPipelineThere: true },
      ["SlotStarted", "SlotEnded", "PipelineCreated"]
    ],
    [
      "not made",
      { slot: [started, SlotEnded.make({ outcome: "failed", message: "No jobs" })], isPipelineThere: false },
      ["SlotStarted", "SlotEnded"]
    ],
    ["of a slot that passed", { slot: [skipped], isPipelineThere: true }, ["SlotsSkipped"]]
  ]
  for (const [name, told, expected] of rows)
    it.effect(name, () =>
      Effect.gen(function* () {
        expect(yield* historyOf(told)).toEqual(["ScheduleCreated", ...expected])
      }).pipe(Effect.provide(layerMemory))
    )
})
