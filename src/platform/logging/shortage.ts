import { open } from "node:fs/promises"
import { Effect, Schedule } from "effect"
import { reasonOf } from "./unavailable.ts"

/** A shortage that goes on is told again after this many milliseconds. */
const silenceMillis = 60_000
/** A process without descriptors takes no connections, and so would not say why: it is looked at this often. */
const interval = "10 seconds"

/** When each shortage was last told, by its text. */
const told = new Map<string, number>()

/**
 * Logs what the service is short of, such as descriptors or memory, in one line a minute, however many requests fail for it. Nothing is
 * logged for any other failure.
 */
export const logShortage = (failure: unknown): Effect.Effect<void> =>
  Effect.suspend(() => {
    const reason = reasonOf(failure)
    const now = performance.now()
    if (reason === undefined || now - (told.get(reason) ?? Number.NEGATIVE_INFINITY) < silenceMillis) return Effect.void
    told.set(reason, now)
    return Effect.logError(`The service is short of what it needs: ${reason}. Requests are refused meanwhile`)
  })

/** Looks for ever whether the process can open a file. */
export const watchDescriptors: Effect.Effect<void> = Effect.promise(async () => (await open("/dev/null")).close()).pipe(
  Effect.catchDefect(logShortage),
  Effect.repeat(Schedule.spaced(interval)),
  Effect.asVoid
)
