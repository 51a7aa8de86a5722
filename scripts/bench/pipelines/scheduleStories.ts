import { ScheduleEvent, scheduleCodec } from "#src/schedules/events.ts"
import { scheduleStream } from "#src/schedules/ids.ts"
import { SlotEvent, slotCodec } from "#src/schedules/slots/events.ts"
import { slotStream } from "#src/schedules/slots/ids.ts"
import { numbers, type Story, story } from "../installation/Story.ts"
import { pipelines, projects, runs, schedules } from "./facts.ts"

/** No schedule is due while the benchmark runs. */
const later = { at: Date.UTC(2100, 0), reason: "normal" as const }
const [firstRun, minute] = [Date.UTC(2026, 0), 60_000]

const schedule = (id: number, projectId: number): Story => {
  const settings = {
    description: `Schedule ${id}`,
    ref: "refs/heads/main",
    cron: "0 0 1 1 *",
    cronTimezone: "UTC",
    isActive: true
  }
  const created = ScheduleEvent.cases.ScheduleCreated.make({ projectId, ownerId: 1, ...settings, nextRun: later })
  return story(scheduleCodec, scheduleStream(id), [created])
}

const run = (index: number): Story => {
  const slot = { scheduleId: 1, at: firstRun + index * minute }
  const pipelineId = pipelines.ofLarge / 2 + index + 1
  return story(slotCodec, slotStream(slot), [
    SlotEvent.cases.SlotStarted.make({ ...slot, rule: "normal", pipelineId, nextRun: later }),
    SlotEvent.cases.SlotEnded.make({ outcome: "created" })
  ])
}

/** Schedules of all projects, and the runs of the first one. */
export const scheduleStories = (): ReadonlyArray<ReadonlyArray<Story>> => {
  const ofLarge = numbers(1, schedules.ofLarge).map((id) => schedule(id, projects.large))
  const ofOthers = numbers(0, projects.others * schedules.ofOther).map((index) =>
    schedule(schedules.ofLarge + 1 + index, projects.large + 1 + (index % projects.others))
  )
  return [ofLarge, ofOthers, numbers(0, runs).map(run)]
}
