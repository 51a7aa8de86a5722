import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Appended, RecordedEvent } from "../EventStore.ts"
import { emptyStream, type StreamEnd } from "../hashChain.ts"

/** A stream as far as this process has read it. What is in it stays true: events are never changed. */
export interface CachedStream {
  readonly end: StreamEnd
  /** What the append of each event answered, by event id. */
  readonly appended: ReadonlyMap<string, Appended>
}

interface GrowingStream {
  end: StreamEnd
  readonly appended: Map<string, Appended>
}

/** Event ids that are remembered over all streams; the streams that were not asked for the longest time go first. */
const capacity = 200_000

/**
 * The streams that this process has read from their start. An append needs its predecessor's hash and must know whether its
 * event ids are stored already, which the server itself only sees at the same expected revision.
 *
 * Filled by reads alone, never by the answer to an append: an append that the server has seen before succeeds too, and then
 * other hashes are stored than those that were sent.
 */
export const makeStreamCache = <E>(read: (stream: string, from: number) => Effect.Effect<ReadonlyArray<RecordedEvent>, E>) => {
  const streams = new LRUCache<string, GrowingStream>({ maxSize: capacity })

  /**
   * Takes in events that were read forwards, from the revision on. A stream that was read from its start is known by that alone: the
   * server may have been restored since. Other events that do not continue what is known are of no use.
   */
  const add = (name: string, events: ReadonlyArray<RecordedEvent>, from: number): CachedStream => {
    const known = from === 0 ? undefined : streams.get(name)
    const stream = known ?? { end: emptyStream, appended: new Map() }
    for (const { hash, id, position, revision } of events) {
      if (revision !== stream.end.revision + 1) continue
      stream.end = { revision, hash: Buffer.from(hash, "hex") }
      stream.appended.set(id, { revision, position })
    }
    // The cache would not take another size for the same entry, nor an entry that is larger than itself.
    streams.delete(name)
    if (from === 0 || stream.appended.size > 0) {
      streams.set(name, stream, { size: Math.max(1, Math.min(stream.appended.size, capacity)) })
    }
    return { ...stream }
  }

  const peek = (name: string): CachedStream | undefined => {
    const stream = streams.get(name)
    return stream && { ...stream }
  }

  return {
    add,
    /** What is known without asking the server; undefined for a stream that was never read. */
    peek,
    /** The stream up to its end of now. */
    refresh: (name: string): Effect.Effect<CachedStream, E> => {
      const from = (peek(name)?.end.revision ?? -1) + 1
      return Effect.map(read(name, from), (events) => add(name, events, from))
    }
  }
}

export type StreamCache<E> = ReturnType<typeof makeStreamCache<E>>
