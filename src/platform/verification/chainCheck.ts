import type { RecordedEvent } from "../eventStore/EventStore.ts"
import { canonicalJson, chainHash, contentDigest, metadataJson } from "../eventStore/hashChain.ts"
import type { LogFault } from "./LogFault.ts"
import { StreamEnds } from "./StreamEnds.ts"

const hashOf = (previous: Uint8Array, event: RecordedEvent): Buffer => {
  const { data, metadata } = event.texts ?? { data: canonicalJson(event.data), metadata: metadataJson(event.metadata) }
  const { at, id, revision, schemaVersion, stream, type } = event
  return chainHash(previous, revision, at, contentDigest({ stream, id, type, schemaVersion, data, metadata }))
}

const faultAt = (event: RecordedEvent, expected: string, found: string): LogFault => ({
  kind: "link",
  stream: event.stream,
  revision: event.revision,
  position: event.position,
  expected,
  found
})

/** Follows every stream from its first event: revisions without gaps, and each hash over content and predecessor. */
export class ChainCheck {
  readonly #ends = new StreamEnds()
  #fault: LogFault | undefined

  get fault(): LogFault | undefined {
    return this.#fault
  }

  get streams(): number {
    return this.#ends.size
  }

  /** Takes the events in log order, from the first one. */
  add(event: RecordedEvent): void {
    if (this.#fault !== undefined) return
    const index = this.#ends.index(event.stream)
    const next = this.#ends.revision(index) + 1
    if (event.revision !== next) {
      this.#fault = faultAt(event, `revision ${next}`, `revision ${event.revision}`)
      return
    }
    const hash = hashOf(this.#ends.hash(index), event)
    const expected = hash.toString("hex")
    if (expected !== event.hash) {
      this.#fault = faultAt(event, `hash ${expected}, over what is stored and the event before`, `hash ${event.hash}`)
      return
    }
    this.#ends.advance(index, hash)
  }
}
