import { Effect } from "effect"
import type { Position } from "../eventStore/EventStore.ts"
import { ChainCheck } from "./chainCheck.ts"
import type { Checkpoint } from "./checkpoints.ts"
import type { LogFault } from "./LogFault.ts"
import { type LogOrder, OrderCheck } from "./orderCheck.ts"
import type { Seal } from "./Seal.ts"
import { SealCheck, type Unsealed } from "./sealCheck.ts"
import { type Walked, walkLog } from "./walk.ts"

export interface Expectations extends LogOrder {
  /** The seals, read before the walk, in order of position. */
  readonly seals: ReadonlyArray<Seal>
  /** The seals of an exported file, in order of position. */
  readonly exported?: ReadonlyArray<Seal>
  /** Fingerprints of keys that may have signed; absent: any. */
  readonly trustedKeys?: ReadonlySet<string>
  /** The fingerprint of the key that this installation signs with; absent: nothing was ever sealed. */
  readonly sealKey?: string
  /** The checkpoints, read before the walk. */
  readonly checkpoints: ReadonlyArray<Checkpoint>
}

export interface Verification {
  readonly events: number
  readonly streams: number
  readonly position: Position
  /** The faults, a broken link first; there are none in an intact log. */
  readonly faults: ReadonlyArray<LogFault>
  /** The log behind the last seal; where the log ends. */
  readonly unsealed: Unsealed
}

const wholeLog = { stream: null, revision: null } as const

const endFault = ({ head, position }: Walked): LogFault | undefined =>
  position >= head
    ? undefined
    : {
        kind: "end",
        ...wholeLog,
        position,
        expected: `a log that ends at position ${head}`,
        found: `no event behind ${position}`
      }

/** The next append would be put where an event is already. */
const headFault = ({ headAfter, position }: Pick<Walked, "position"> & { readonly headAfter: Position }): LogFault | undefined =>
  position <= headAfter
    ? undefined
    : {
        kind: "head",
        ...wholeLog,
        position: headAfter,
        expected: `a head at position ${position} or behind it, where the last event is`,
        found: `a head at position ${headAfter}`
      }

const missingSealsFault = ({ sealKey, seals }: Expectations): LogFault | undefined =>
  sealKey === undefined || seals.length > 0
    ? undefined
    : {
        kind: "seal",
        ...wholeLog,
        position: 0,
        expected: `seals, since there is the key ${sealKey} that signed some`,
        found: "no seal"
      }

const checkpointFault = ({ position }: Walked, checkpoints: ReadonlyArray<Checkpoint>): LogFault | undefined => {
  const ahead = checkpoints.find((checkpoint) => checkpoint.position > position)
  if (ahead === undefined) return undefined
  const expected = `a log that reaches position ${ahead.position}, which read model ${ahead.readModel} has projected`
  return { kind: "checkpoint", ...wholeLog, position, expected, found: `a log that ends at position ${position}` }
}

const removedSealFault = ({ exported = [], seals }: Expectations): LogFault | undefined => {
  const kept = new Set(seals.map(({ signature }) => signature))
  const removed = exported.find(({ signature }) => !kept.has(signature))
  if (removed === undefined) return undefined
  const expected = `the exported seal of ${new Date(removed.at).toISOString()} in the table of seals`
  return { kind: "seal", ...wholeLog, position: removed.position, expected, found: "no such seal there" }
}

/** Walks the whole log and compares it with itself and with what others remember of it. Reports at most one fault of each kind but seals. */
export const verifyLog = Effect.fn("verification.verifyLog")(function* (
  expectations: Expectations,
  report?: (walked: Walked) => Effect.Effect<void>
) {
  const chains = new ChainCheck()
  const order = new OrderCheck(expectations)
  const seals = new SealCheck(expectations.seals, expectations.trustedKeys)
  const exported =
    expectations.exported === undefined ? undefined : new SealCheck(expectations.exported, expectations.trustedKeys)
  const walked = yield* walkLog(
    0,
    (event) => {
      chains.add(event)
      order.add(event)
      seals.add(event)
      exported?.add(event)
    },
    report
  )
  const unsealed = seals.end()
  exported?.end()
  const faults = [
    chains.fault,
    ...order.faults,
    endFault(walked),
    headFault(walked),
    missingSealsFault(expectations),
    seals.fault,
    exported?.fault,
    removedSealFault(expectations),
    checkpointFault(walked, expectations.checkpoints)
  ].filter((fault) => fault !== undefined)
  const verification: Verification = {
    events: walked.events,
    streams: chains.streams,
    position: walked.position,
    faults,
    unsealed
  }
  return verification
})
