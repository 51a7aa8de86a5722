import type { Position, RecordedEvent } from "../eventStore/EventStore.ts"
import { emptyLog, LogDigest } from "./LogDigest.ts"
import type { LogFault } from "./LogFault.ts"
import { fingerprint, isGenuine, type Seal } from "./Seal.ts"

const fault = (position: Position, expected: string, found: string): LogFault => ({
  kind: "seal",
  stream: null,
  revision: null,
  position,
  expected,
  found
})

const time = (seal: Seal): string => new Date(seal.at).toISOString()

/** What is wrong with a seal by itself. `trusted`: the keys that may have signed it; undefined if none is known. */
const signatureFault = (seal: Seal, trusted: ReadonlySet<string> | undefined): LogFault | undefined => {
  if (!isGenuine(seal)) return fault(seal.position, `a valid signature of the seal of ${time(seal)}`, "an altered seal")
  if (trusted === undefined || trusted.has(fingerprint(seal.publicKey))) return undefined
  const known = `a seal signed with key ${[...trusted].join(" or ")}`
  return fault(seal.position, known, `one of ${time(seal)} signed with key ${fingerprint(seal.publicKey)}`)
}

/** The log behind the last seal. */
export interface Unsealed {
  readonly position: Position
  readonly digest: Buffer
}

/** Compares the log with seals, which are given in order of position. */
export class SealCheck {
  readonly #seals: ReadonlyArray<Seal>
  #next = 0
  #digest = new LogDigest(emptyLog)
  #position: Position = 0
  #fault: LogFault | undefined

  constructor(seals: ReadonlyArray<Seal>, trusted?: ReadonlySet<string>) {
    this.#seals = seals
    this.#fault = seals.map((seal) => signatureFault(seal, trusted)).find((found) => found !== undefined)
  }

  get fault(): LogFault | undefined {
    return this.#fault
  }

  add(event: RecordedEvent): void {
    if (this.#fault !== undefined) return
    const seal = this.#seals[this.#next]
    if (seal !== undefined && event.position > seal.position) {
      this.#fault = fault(
        seal.position,
        `the event that the seal of ${time(seal)} ends with`,
        `position ${event.position} follows ${this.#position}`
      )
      return
    }
    this.#digest.add(event)
    this.#position = event.position
    if (seal?.position === event.position) this.#compare(seal)
  }

  /** Call after the last event. */
  end(): Unsealed {
    const seal = this.#seals[this.#next]
    if (this.#fault === undefined && seal !== undefined) {
      this.#fault = fault(
        seal.position,
        `a log that reaches at least here, as the seal of ${time(seal)} says`,
        `a log that ends at position ${this.#position}`
      )
    }
    return { position: this.#position, digest: this.#digest.value }
  }

  #compare(seal: Seal): void {
    const found = this.#digest.value.toString("hex")
    if (found !== seal.digest) {
      const from = this.#seals[this.#next - 1]?.position ?? 0
      const range = `of the events behind position ${from} up to here`
      this.#fault = fault(seal.position, `digest ${seal.digest} ${range} (seal of ${time(seal)})`, `digest ${found}`)
      return
    }
    this.#next += 1
    this.#digest = new LogDigest(Buffer.from(seal.digest, "hex"))
  }
}
