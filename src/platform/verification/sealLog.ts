import { Clock, Effect } from "effect"
import type { Position } from "../eventStore/EventStore.ts"
import { Projections } from "../Projections.ts"
import { emptyLog, LogDigest } from "./LogDigest.ts"
import { signSeal } from "./Seal.ts"
import type { Unsealed } from "./sealCheck.ts"
import { sealKey } from "./sealKey.ts"
import { readLastSeal, writeSeal } from "./sealTable.ts"
import { walkLog } from "./walk.ts"

/** Signs and stores the seal of a log; `previous` is the position of the seal that its digest continues, 0 without one. */
export const sealAt = Effect.fn("verification.sealAt")(function* ({ digest, position }: Unsealed, previous: Position) {
  const seal = signSeal(yield* sealKey, { position, digest, at: yield* Clock.currentTimeMillis })
  yield* writeSeal(seal, previous)
  return seal
})

/** Seals what was appended since the last seal, without looking at older events. Undefined when there is nothing new. */
export const sealLog = Effect.gen(function* () {
  const last = yield* readLastSeal
  const digest = new LogDigest(last === undefined ? emptyLog : Buffer.from(last.digest, "hex"))
  const previous = last?.position ?? 0
  const { events, head, position } = yield* walkLog(previous, (event) => digest.add(event))
  if (head < previous) yield* Effect.logError(`The log ends at position ${head}, but was sealed up to ${previous}: run verify`)
  if (events === 0) return undefined
  return yield* sealAt({ position, digest: digest.value }, previous)
}).pipe(Effect.withSpan("verification.sealLog"))

/** Only one process seals; whoever comes second finds the work done. */
const sealAsLeader = Effect.gen(function* () {
  const { leader } = yield* Projections.use((projections) => projections.status)
  if (!leader) return
  const seal = yield* Effect.catchTag(sealLog, "SealOvertaken", () => Effect.undefined)
  if (seal !== undefined) yield* Effect.logDebug(`Sealed the log up to position ${seal.position}`)
}).pipe(Effect.catchCause((cause) => Effect.logWarning("The log could not be sealed", cause)))

/** Seals the log every hour, and once more when it is interrupted, where this process leads. Never ends by itself. */
export const sealRegularly = Effect.forever(Effect.delay(sealAsLeader, "1 hour")).pipe(
  Effect.onInterrupt(() => Effect.ignore(Effect.timeout(sealAsLeader, "5 seconds")))
)
