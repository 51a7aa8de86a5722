import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Appended, Position, RecordedEvent } from "../EventStore.ts"
import { type ChainedEvent, emptyStream, type StreamEnd } from "../hashChain.ts"

/** A stream as far as this process knows it. What is in it stays true: events are never changed. */
export interface CachedStream {
  readonly end: StreamEnd
  /** The position of the last event; 0 for a stream without events. */
  readonly position: Position
  /**
   * What the append of each event answered, by event id. It goes on growing behind the `end`, and lacks events that nobody else sends,
   * for which nobody asks.
   */
  readonly appended: ReadonlyMap<string, Appended>
}

interface GrowingStream {
  end: StreamEnd
  position: Position
  readonly appended: Map<string, Appended>
}

/** Event ids that are remembered over all streams; the streams that were not asked for the longest time go first. */
const capacity = 200_000

/**
 * The streams that this process has read from their start. An append needs its predecessor's hash and must know whether its
 * event ids are stored already, which the server itself only sees at the same expected revision.
 *
 * Filled by reads, and by appends of events that are new: any other append that the server has seen before succeeds too, and then other
 * hashes are stored than those that were sent.
 */
export const makeStreamCache = <E>(read: (stream: string, from: number) => Effect.Effect<ReadonlyArray<RecordedEvent>, E>) => {
  const streams = new LRUCache<string, GrowingStream>({ maxSize: capacity })

  const keep = (name: string, stream: GrowingStream): void => {
    // The cache would not take another size for the same entry, nor an entry that is larger than itself.
    streams.delete(name)
    streams.set(name, stream, { size: Math.max(1, Math.min(stream.appended.size, capacity)) })
  }

  /**
   * Takes in events that were read forwards, from the revision on. A stream that was read from its start is known by that alone: the
   * server may have been restored since. Other events that do not continue what is known are of no use.
   */
  const add = (name: string, events: ReadonlyArray<RecordedEvent>, from: number): CachedStream => {
    const known = from === 0 ? undefined : streams.get(name)
    const stream: GrowingStream = known ?? { end: emptyStream, position: 0, appended: new Map() }
    for (const { hash, id, position, revision } of events) {
      if (revision !== stream.end.revision + 1) continue
      stream.end = { revision, hash: Buffer.from(hash, "hex") }
      stream.position = position
      stream.appended.set(id, { revision, position })
    }
    if (from === 0 || known !== undefined) keep(name, stream)
    return { ...stream }
  }

  const peek = (name: string): CachedStream | undefined => {
    const stream = streams.get(name)
    return stream && { ...stream }
  }

  /** Takes in the last one of `count` new events that this process appended behind the end that is known. */
  const extend = (name: string, { hash, revision }: ChainedEvent, count: number, position: Position): void => {
    const stream = streams.get(name)
    if (stream?.end.revision !== revision - count) return
    stream.end = { revision, hash }
    stream.position = position
  }

  const refresh = (name: string): Effect.Effect<CachedStream, E> =>
    Effect.suspend(() => {
      const known = streams.get(name)
      const from = (known?.end.revision ?? -1) + 1
      return Effect.flatMap(read(name, from), (events) =>
        // What was read continues nothing when the stream was forgotten meanwhile.
        from > 0 && streams.get(name) !== known ? refresh(name) : Effect.succeed(add(name, events, from))
      )
    })

  return {
    add,
    extend,
    /** Forgets what is known, as the server may have been restored. Without a name, of all streams. */
    forget: (name?: string): void => {
      if (name === undefined) streams.clear()
      else streams.delete(name)
    },
    /** What is known without asking the server; undefined for a stream that was never read. */
    peek,
    /** The stream up to its end of now. */
    refresh
  }
}

export type StreamCache<E> = ReturnType<typeof makeStreamCache<E>>
