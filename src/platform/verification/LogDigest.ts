import { createHash } from "node:crypto"
import type { RecordedEvent } from "../eventStore/EventStore.ts"
import { writeInt64 } from "../eventStore/hashChain.ts"

const entryBytes = 40
const entries = 1024

/** The digest before the first event. */
export const emptyLog: Buffer = Buffer.alloc(32)

/**
 * SHA-256 over the digest before (32 bytes) and, for each event since, its position (64-bit, big-endian) and hash (32
 * bytes). An event's hash covers its whole past in its stream; the positions fix the order across streams.
 */
export class LogDigest {
  readonly #hash = createHash("sha256")
  readonly #entries = Buffer.alloc(entryBytes * entries)
  #used = 0

  constructor(before: Uint8Array) {
    this.#hash.update(before)
  }

  add(event: RecordedEvent): void {
    if (this.#used === this.#entries.length) this.#flush()
    writeInt64(this.#entries, event.position, this.#used)
    this.#entries.write(event.hash, this.#used + 8, "hex")
    this.#used += entryBytes
  }

  /** The digest of everything so far. */
  get value(): Buffer {
    this.#flush()
    return this.#hash.copy().digest()
  }

  #flush(): void {
    this.#hash.update(this.#entries.subarray(0, this.#used))
    this.#used = 0
  }
}
