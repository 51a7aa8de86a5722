import { Clock, Effect } from "effect"
import { CurrentOrigin } from "../../platform/Origin.ts"

/**
 * When the request moved refs, or was about to, in an earlier run that was cut short: seconds since 1970; undefined in the first
 * run. The same commit or tag has the same id, so the time is enough to tell what that run made. To be asked before `writeTime`.
 */
export const earlierWriteTime: Effect.Effect<number | undefined> = Effect.map(CurrentOrigin, ({ keptId }) => keptId?.())

/** The time of what the request writes, seconds since 1970, kept for a repeat. To be taken once, when everything else is judged. */
export const writeTime: Effect.Effect<number> = Effect.flatMap(CurrentOrigin, ({ keepId }) => {
  const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
  return keepId === undefined ? now : keepId(now)
})
