import { Effect } from "effect"
import { invalidRecord, thingNotFound, type WireError } from "../http/answer/errors.ts"
import type { Refusal } from "./commands.ts"
import type { ScheduleFault } from "./faults.ts"
import { presentFaults } from "./present.ts"
import { scheduleNotFound } from "./requireSchedule.ts"

export const invalid = (faults: ReadonlyArray<ScheduleFault>): WireError => invalidRecord(presentFaults(faults))

export const variableNotFound = thingNotFound("Pipeline Schedule Variable")

/** Answers the refusals of writes. */
export const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    ScheduleInvalid: ({ faults }) => Effect.fail(invalid(faults)),
    ScheduleMissing: () => Effect.fail(scheduleNotFound),
    VariableMissing: () => Effect.fail(variableNotFound),
    ScheduleExists: (refusal) => Effect.die(refusal)
  })
