import { Effect } from "effect"
import type { Appended, RecordedEvent } from "../EventStore.ts"
import { emptyStream, type StreamEnd } from "../hashChain.ts"

/** A stream as far as this process has read it. What is in it stays true: events are never changed. */
export interface KnownStream {
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

const unknown: KnownStream = { end: emptyStream, appended: new Map() }

/**
 * The streams that this process has read from their start. An append needs its predecessor's hash and must know whether its
 * event ids are stored already, which the server itself only sees at the same expected revision.
 *
 * Filled by reads alone, never by the answer to an append: an append that the server has seen before succeeds too, and then
 * other hashes are stored than those that were sent.
 */
export const makeKnownStreams = <E>(read: (stream: string, from: number) => Effect.Effect<ReadonlyArray<RecordedEvent>, E>) => {
  const streams = new Map<string, GrowingStream>()
  let size = 0

  const find = (name: string): GrowingStream | undefined => {
    const stream = streams.get(name)
    if (stream === undefined) return undefined
    streams.delete(name)
    streams.set(name, stream)
    return stream
  }

  const forget = (name: string) => {
    size -= streams.get(name)?.appended.size ?? 0
    streams.delete(name)
  }

  const evict = () => {
    for (const name of streams.keys()) {
      if (size <= capacity || streams.size === 1) return
      forget(name)
    }
  }

  /**
   * Takes in events that were read forwards, from the revision on. A stream that was read from its start is known by that alone: the
   * server may have been restored since. Other events that do not continue what is known are of no use.
   */
  const learn = (name: string, events: ReadonlyArray<RecordedEvent>, from: number): void => {
    if (from === 0) forget(name)
    const stream = find(name) ?? { end: emptyStream, appended: new Map() }
    for (const { hash, id, position, revision } of events) {
      if (revision !== stream.end.revision + 1) continue
      stream.end = { revision, hash: Buffer.from(hash, "hex") }
      stream.appended.set(id, { revision, position })
      size += 1
    }
    if (stream.appended.size > 0) streams.set(name, stream)
    evict()
  }

  const snapshot = (name: string): KnownStream => ({ ...(find(name) ?? unknown) })

  return {
    learn,
    /** What is known without asking the server; a stream that was never read looks empty. */
    peek: snapshot,
    /** The stream up to its end of now. */
    refresh: (name: string): Effect.Effect<KnownStream, E> => {
      const from = snapshot(name).end.revision + 1
      return Effect.map(read(name, from), (events) => {
        learn(name, events, from)
        return snapshot(name)
      })
    }
  }
}

export type KnownStreams<E> = ReturnType<typeof makeKnownStreams<E>>
