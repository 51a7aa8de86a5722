/** An event as the server keeps it. */
export interface StoredEvent {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly position: number
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export type ProposedEvent = Omit<StoredEvent, "stream" | "revision" | "position">

/** -1: the stream must not exist. */
export type Expected = number | "any" | "exists"

export type Outcome =
  | { readonly _tag: "Appended"; readonly revision: number; readonly position: number }
  | { readonly _tag: "WrongExpected"; readonly current: number }

const statistics = {
  id: "00000000-0000-4000-8000-000000000000",
  type: "$statsCollected",
  contentType: "application/json",
  data: new TextEncoder().encode(`{"proc-cpu":1}`),
  metadata: new Uint8Array()
} satisfies ProposedEvent

/** Appends between two events of the server's own. */
const statisticsEvery = 7

/**
 * The server's log in memory. Positions are byte offsets, the server writes events of its own between those of clients, and a
 * repeated append counts as the first one when it names the same expected revision and event ids, as in EventStoreDB.
 */
export const makeServerLog = () => {
  const log: Array<StoredEvent> = []
  const streams = new Map<string, Array<StoredEvent>>()
  const listeners = new Set<() => void>()
  let bytes = 0
  let appends = 0

  const write = (stream: string, event: ProposedEvent): StoredEvent => {
    const events = streams.get(stream) ?? []
    bytes += 100
    const stored = { ...event, stream, revision: events.length, position: bytes }
    bytes += event.data.length + event.metadata.length
    events.push(stored)
    streams.set(stream, events)
    log.push(stored)
    return stored
  }

  const outcome = ({ position, revision }: StoredEvent): Outcome => ({ _tag: "Appended", revision, position })

  /** The events that an earlier append stored under the same ids behind the same revision. */
  const repeated = (events: ReadonlyArray<StoredEvent>, expected: number, proposed: ReadonlyArray<ProposedEvent>) => {
    const stored = events.slice(expected + 1, expected + 1 + proposed.length)
    return stored.length === proposed.length && stored.every(({ id }, index) => id === proposed[index]?.id)
      ? stored.at(-1)
      : undefined
  }

  const append = (stream: string, expected: Expected, proposed: ReadonlyArray<ProposedEvent>): Outcome => {
    const events = streams.get(stream) ?? []
    const current = events.length - 1
    if (expected === "exists" && current === -1) return { _tag: "WrongExpected", current }
    if (typeof expected === "number" && expected !== current) {
      const first = expected < current ? repeated(events, expected, proposed) : undefined
      return first === undefined ? { _tag: "WrongExpected", current } : outcome(first)
    }
    const stored = proposed.map((event) => write(stream, event))
    appends += 1
    if (appends % statisticsEvery === 0) write("$stats-127.0.0.1:2113", statistics)
    for (const listener of listeners) listener()
    return outcome(stored.at(-1) ?? { ...statistics, stream, revision: current, position: bytes })
  }

  return {
    append,
    all: (): ReadonlyArray<StoredEvent> => log,
    stream: (name: string): ReadonlyArray<StoredEvent> => streams.get(name) ?? [],
    /** Index of the first event at or behind a position. */
    indexOf: (position: number): number => {
      let [low, high] = [0, log.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((log[middle]?.position ?? 0) < position) low = middle + 1
        else high = middle
      }
      return low
    },
    /** Calls back after each append until the returned function is called. */
    onAppend: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

export type ServerLog = ReturnType<typeof makeServerLog>
