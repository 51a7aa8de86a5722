import { Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { takeArrival } from "../work/arrivals.ts"
import { defaultRequestLimits, makeRequestPlaces, RequestPlaces } from "../work/RequestPlaces.ts"
import { makeWorkPlaces, placesFor, WorkPlaces } from "../work/WorkPlaces.ts"
import { makeProcesses, Processes } from "./Processes.ts"
import { processLimits } from "./ProcessLimits.ts"

/** Who may use how much, as the settings say. */
export const layerWork = Layer.unwrap(
  Effect.map(
    AppConfig,
    ({ anonymousRequests, backgroundLimits, bulkLimits, interactiveLimits, processMemory, transferLimits, userRequests }) => {
      const { anonymous, perUser } = defaultRequestLimits
      const requests = { anonymous: anonymousRequests ?? anonymous, perUser: userRequests ?? perUser }
      const given = {
        interactive: interactiveLimits,
        transfer: transferLimits,
        bulk: bulkLimits,
        background: backgroundLimits
      }
      return Layer.mergeAll(
        Layer.succeed(RequestPlaces, makeRequestPlaces(requests, takeArrival)),
        Layer.succeed(WorkPlaces, makeWorkPlaces(placesFor(given))),
        Layer.succeed(Processes, makeProcesses(processLimits(given, processMemory)))
      )
    }
  )
)
