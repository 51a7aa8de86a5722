import { createHash, type Hash, hash } from "node:crypto"
import { type EventMetadata, type ExpectedEnd, expectedHash, expectedRevision, type NewEvent } from "./EventStore.ts"

/** The hash before the first event of a stream. */
export const genesis: Buffer = Buffer.alloc(32)

export interface HashedContent {
  readonly stream: string
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  /** The JSON text exactly as stored. */
  readonly data: string
  /** The JSON text exactly as stored. */
  readonly metadata: string
}

type Head = Omit<HashedContent, "data" | "metadata">

/** What is digested before the data. */
const headOf = ({ id, schemaVersion, stream, type }: Head): string => `${JSON.stringify([stream, id, type, schemaVersion])}\n`

/** The SHA-256 digest over everything of an event that its author decides. */
export const contentDigest = (event: HashedContent): Buffer =>
  hash("sha256", `${headOf(event)}${event.data}\n${event.metadata}`, "buffer")

/** Begins the same digest for data that is added piece by piece. */
export const startDigest = (event: Head): Hash => createHash("sha256").update(headOf(event))

/** Ends such a digest, behind the last piece of the data. */
export const endDigest = (digest: Hash, metadata: string): Buffer => digest.update(`\n${metadata}`).digest()

const scratch = Buffer.alloc(80)

/** Writes an integer in big-endian order, without a BigInt, which would cost as much as a hash. `value` is a safe integer and not negative. */
export const writeInt64 = (buffer: Buffer, value: number, offset: number): void => {
  buffer.writeUInt32BE(Math.floor(value / 2 ** 32), offset)
  buffer.writeUInt32BE(value >>> 0, offset + 4)
}

/**
 * The hash of an event: SHA-256 over previous hash (32 bytes), revision and time (signed 64-bit, big-endian, the time in
 * milliseconds), content digest (32 bytes). The Postgres function `chronoforge.append` computes the same.
 */
export const chainHash = (previous: Uint8Array, revision: number, at: number, content: Uint8Array): Buffer => {
  scratch.set(previous, 0)
  writeInt64(scratch, revision, 32)
  writeInt64(scratch, at, 40)
  scratch.set(content, 48)
  return hash("sha256", scratch, "buffer")
}

/** The stored text of data or metadata. `JSON.stringify` repeats itself on its own parsed output, so the text can be had again from the value. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value) ?? "null"

export const metadataJson = (metadata: EventMetadata): string => canonicalJson(metadata)

/** The end of a stream. */
export interface StreamEnd {
  /** The last revision; -1 for a stream without events. */
  readonly revision: number
  readonly hash: Uint8Array
}

export const emptyStream: StreamEnd = { revision: -1, hash: genesis }

export const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")

/** Whether an append that expects this may go behind the end. */
export const endsAsExpected = (expected: ExpectedEnd, { hash, revision }: StreamEnd): boolean =>
  (expectedRevision(expected) ?? revision) === revision && (expectedHash(expected) ?? hexOf(hash)) === hexOf(hash)

/** An event as it is stored, with its place in the chain of its stream. */
export interface ChainedEvent extends HashedContent {
  readonly revision: number
  readonly at: number
  readonly hash: Buffer
}

/** The events as the next links behind the end of a stream, all recorded at the same time. */
export const chainEvents = (
  stream: string,
  end: StreamEnd,
  at: number,
  events: ReadonlyArray<NewEvent>
): ReadonlyArray<ChainedEvent> => {
  let { hash: previous, revision } = end
  return events.map(({ data, id, metadata, schemaVersion, type }) => {
    const content = { stream, id, type, schemaVersion, data: canonicalJson(data), metadata: metadataJson(metadata) }
    revision += 1
    const chained = { ...content, revision, at, hash: chainHash(previous, revision, at, contentDigest(content)) }
    previous = chained.hash
    return chained
  })
}
