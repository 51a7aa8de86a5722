import { isSoftlyDeleted, type Settings, settingsOf } from "./settings.ts"

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
  | { readonly _tag: "Appended"; readonly revision: number; readonly position: number | undefined }
  | { readonly _tag: "WrongExpected"; readonly current: number }
  | { readonly _tag: "Deleted" }

/** What readers see of a stream. */
export type Visible =
  | { readonly _tag: "Events"; readonly events: ReadonlyArray<StoredEvent> }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Deleted" }

const serverEvent = (type: string, text: string): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  contentType: "application/json",
  data: new TextEncoder().encode(text),
  metadata: new Uint8Array()
})

/** Appends between two events of the server's own. */
const statisticsEvery = 7

const tombstone = "$streamDeleted"

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

  const notify = () => {
    for (const listener of listeners) listener()
  }

  const settings = (stream: string): Settings => settingsOf(streams.get(`$$${stream}`)?.at(-1))

  const isTombstoned = (stream: string): boolean =>
    streams.get(stream.startsWith("$$") ? stream.slice(2) : stream)?.at(-1)?.type === tombstone

  const visible = (stream: string): Visible => {
    if (isTombstoned(stream)) return { _tag: "Deleted" }
    const events = streams.get(stream) ?? []
    const { $maxCount = events.length, $tb = 0 } = settings(stream)
    if (events.length === 0 || isSoftlyDeleted($tb)) return { _tag: "Absent" }
    return { _tag: "Events", events: events.slice(Math.max($tb, events.length - $maxCount)) }
  }

  /** The events that an earlier append stored under the same ids behind the same revision. */
  const repeated = (events: ReadonlyArray<StoredEvent>, expected: number, proposed: ReadonlyArray<ProposedEvent>) => {
    const stored = events.slice(expected + 1, expected + 1 + proposed.length)
    return stored.length === proposed.length && stored.every(({ id }, index) => id === proposed[index]?.id)
      ? stored.at(-1)
      : undefined
  }

  /** Of events that are hidden the server has forgotten where they are. */
  const repeatedOutcome = (stream: string, last: StoredEvent): Outcome => {
    const found = visible(stream)
    const isVisible = found._tag === "Events" && found.events.includes(last)
    return { _tag: "Appended", revision: last.revision, position: isVisible ? last.position : undefined }
  }

  /** A stream that was deleted and is written to, or its settings are, goes on where it was, and hides what was before. */
  const undelete = (stream: string, first: number) =>
    write(`$$${stream}`, serverEvent("$metadata", JSON.stringify({ ...settings(stream), $tb: first })))

  const store = (stream: string, proposed: ReadonlyArray<ProposedEvent>): Outcome => {
    const original = stream.startsWith("$$") ? stream.slice(2) : stream
    const wasDeleted = isSoftlyDeleted(settings(original).$tb)
    const end = streams.get(original)?.length ?? 0
    const stored = proposed.map((event) => write(stream, event))
    if (wasDeleted) undelete(original, end)
    appends += 1
    if (appends % statisticsEvery === 0) write("$stats-127.0.0.1:2113", serverEvent("$statsCollected", `{"proc-cpu":1}`))
    notify()
    const last = stored.at(-1)
    return { _tag: "Appended", revision: last?.revision ?? -1, position: last?.position ?? bytes }
  }

  const append = (stream: string, expected: Expected, proposed: ReadonlyArray<ProposedEvent>): Outcome => {
    if (isTombstoned(stream)) return { _tag: "Deleted" }
    const events = streams.get(stream) ?? []
    const current = events.length - 1
    const isAbsent = visible(stream)._tag === "Absent"
    if (expected === "exists" && isAbsent) return { _tag: "WrongExpected", current }
    if (typeof expected === "number" && expected !== current) {
      const first = expected < current ? repeated(events, expected, proposed) : undefined
      if (first !== undefined) return repeatedOutcome(stream, first)
      if (!(expected === -1 && isAbsent)) return { _tag: "WrongExpected", current }
    }
    return store(stream, proposed)
  }

  return {
    append,
    visible,
    all: (): ReadonlyArray<StoredEvent> => log,
    /** Hides what the stream holds, until it is appended to. */
    deleteSoftly: (stream: string): void => {
      write(`$$${stream}`, serverEvent("$metadata", `{"$tb":9223372036854775807}`))
      notify()
    },
    /** Ends the stream for ever. */
    tombstone: (stream: string): void => {
      write(stream, serverEvent(tombstone, ""))
      notify()
    },
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
