import { Effect } from "effect"
import { invalidRecord, thingNotFound, type WireError } from "../http/answer/errors.ts"
import type { Refusal } from "./commands.ts"
import type { ScheduleFault } from "./faults.ts"
import { presentFaults } from "./present.ts"
import { scheduleNotFound } from "./requireSchedule.ts"

export const invalid = (faults: ReadonlyArray<ScheduleFault>): WireError => invalidRecord(presentFaults(faults))

export const variableNotFound = thingNotFound("Pipeline Schedule Variable")

/** Answers the refusals of writes. */
export const refuse = <A, E extends WireError, R>(written: Effect.Effect<A, Refusal | E, R>) =>
  Effect.catch(written, (refusal: Refusal | E): Effect.Effect<never, WireError> => {
    switch (refusal._tag) {
      case "ScheduleInvalid":
        return Effect.fail(invalid(refusal.faults))
      case "ScheduleMissing":
        return Effect.fail(scheduleNotFound)
      case "VariableMissing":
        return Effect.fail(variableNotFound)
      case "ScheduleExists":
        return Effect.die(refusal)
      default:
        return Effect.fail(refusal)
    }
  })
