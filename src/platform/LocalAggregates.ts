import { Context, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { charactersIn } from "../kernel/json/charactersIn.ts"
import type { Aggregate } from "./Aggregate.ts"
import { decodeAll } from "./eventStore/codec.ts"
import {
  type Appended,
  EventStore,
  type LastEvent,
  type NewEvent,
  type Position,
  type RecordedEvent
} from "./eventStore/EventStore.ts"
import { type KeyedLock, makeKeyedLock } from "./keyedLock.ts"

/** How the events of a stream make a state. */
export type Folding<State, Event> = Pick<Aggregate<never, never, State, Event, never>, "codec" | "evolve" | "initial">

/** An aggregate as the log has it. */
export interface Loaded<State> {
  readonly state: State
  /** The revision of the last event; -1 for an absent stream. */
  readonly revision: number
  /** The position of the last event; 0 for an absent stream. */
  readonly position: Position
}

/** A state and the last event that led to it: every log that ends with that event gives this state. */
export interface Recalled<State> extends LastEvent {
  readonly state: State
}

interface Cached<State> extends Loaded<State>, Recalled<State> {
  readonly folding: unknown
  /** Characters of the state when it was measured last, and of the events since. */
  readonly measured: number
  readonly since: number
}

const isOf = <State, Event>(cached: Cached<unknown> | undefined, folding: Folding<State, Event>): cached is Cached<State> =>
  cached?.folding === folding

const charactersOf = (events: ReadonlyArray<NewEvent>): number => events.reduce((sum, { data }) => sum + charactersIn(data), 0)

/** A state is measured anew only when its events may have doubled it, so that a change of a large one stays cheap. */
const measure = (state: unknown, { measured, since }: Cached<unknown>, newer: ReadonlyArray<NewEvent>) => {
  if (measured === 0) return { measured: charactersIn(state), since: 0 }
  const grown = since + charactersOf(newer)
  return grown > measured ? { measured: charactersIn(state), since: 0 } : { measured, since: grown }
}

const absent = <State, Event>(folding: Folding<State, Event>): Cached<State> => ({
  folding,
  state: folding.initial,
  revision: -1,
  position: 0,
  hash: "",
  measured: 0,
  since: 0
})

const advance = Effect.fnUntraced(function* <State, Event>(
  folding: Folding<State, Event>,
  before: Cached<State>,
  newer: ReadonlyArray<RecordedEvent>
) {
  const last = newer.at(-1)
  if (last === undefined) return before
  const state = (yield* decodeAll(folding.codec, newer)).reduce(folding.evolve, before.state)
  const { hash, position, revision } = last
  const after: Cached<State> = { folding, state, revision, position, hash, ...measure(state, before, newer) }
  return after
})

/** Events are read in pieces: a few at first, which are mostly all, then as many as have about so many characters, so that a stream of long texts takes no more memory than its state and one piece. */
const [firstPiece, maxPiece] = [50, 5_000]
const charactersOfPiece = 4 * 1024 * 1024

const nextPiece = (events: ReadonlyArray<RecordedEvent>): number => {
  const each = charactersOf(events) / events.length
  return Math.max(2, Math.min(maxPiece, Math.floor(charactersOfPiece / each)))
}

/** A state taken on to the end of its stream; undefined where the log does not have the event that led to it. */
const catchUp = Effect.fnUntraced(function* <State, Event>(folding: Folding<State, Event>, stream: string, start: Cached<State>) {
  const { read } = yield* EventStore
  let [now, limit] = [start, firstPiece]
  for (;;) {
    const knowsFirst = now.revision >= 0
    const events = yield* read(stream, { from: Math.max(0, now.revision), limit, knowsFirst })
    const newer = knowsFirst ? events.slice(1) : events
    // What stands where this state ends is told with each piece: the log may be another one by now.
    if (knowsFirst && events[0]?.hash !== now.hash) return undefined
    now = { ...(yield* advance(folding, now, newer)), position: events.at(-1)?.position ?? 0 }
    if (events.length < limit) return now
    limit = nextPiece(newer)
  }
})

/** The number of characters of the names and numbers beside a state. */
const overhead = 500

/**
 * What this process knows of aggregates: the states of those that were used last, and whose turn it is to change one. Other processes
 * append too, and a log may be restored or replaced, so no state is believed unseen: `load` reads its last event and what came after,
 * and who decides on what `recall` answers appends where that last event is the last.
 */
export interface LocalAggregates {
  readonly load: <State, Event>(folding: Folding<State, Event>, stream: string) => Effect.Effect<Loaded<State>, never, EventStore>
  /** The state as it was when this process saw it last; undefined when it is unknown. */
  readonly recall: <State, Event>(folding: Folding<State, Event>, stream: string) => Recalled<State> | undefined
  /** Takes in the state that follows from events that this process has just appended. */
  readonly remember: <State, Event>(
    folding: Folding<State, Event>,
    stream: string,
    state: State,
    added: ReadonlyArray<NewEvent>,
    appended: Appended
  ) => void
  /** Runs one command to a stream at a time. */
  readonly withStreamLock: KeyedLock
}

/** Keeps at most so many states, and so many characters of them together. */
export const makeLocalAggregates = (limits: { readonly maxStates: number; readonly maxCharacters: number }): LocalAggregates => {
  const states = new LRUCache<string, Cached<unknown>>({
    max: limits.maxStates,
    maxSize: limits.maxCharacters,
    sizeCalculation: ({ measured, since }) => overhead + measured + since
  })
  // Callers who miss the same state share one read of the stream.
  const readWhole = makeKeyedLock()

  /** Another reader may have been faster. */
  const replace = (stream: string, found: Cached<unknown> | undefined, next: Cached<unknown>) => {
    if (next !== found && next.revision >= 0 && states.peek(stream) === found) states.set(stream, next)
  }

  /** The cached state; undefined when it is unknown, or does not match the log. */
  const fromCache = Effect.fnUntraced(function* <State, Event>(folding: Folding<State, Event>, stream: string) {
    const cached = states.get(stream)
    if (!isOf(cached, folding)) return undefined
    const next = yield* catchUp(folding, stream, cached)
    if (next === undefined && states.peek(stream) === cached) states.delete(stream)
    if (next !== undefined && next.revision > cached.revision) replace(stream, cached, next)
    return next
  })

  const fromLog = Effect.fnUntraced(function* <State, Event>(folding: Folding<State, Event>, stream: string) {
    const cached = yield* fromCache(folding, stream)
    if (cached !== undefined) return cached
    const found = states.peek(stream)
    let next: Cached<State> | undefined
    // A log that is replaced meanwhile is read anew.
    while (next === undefined) next = yield* catchUp(folding, stream, absent(folding))
    replace(stream, found, next)
    return next
  })

  return {
    load: Effect.fnUntraced(function* (folding, stream) {
      const found = (yield* fromCache(folding, stream)) ?? (yield* readWhole(stream, fromLog(folding, stream)))
      const { position, revision, state } = found
      return { position, revision, state }
    }),
    recall: (folding, stream) => {
      const cached = states.get(stream)
      return isOf(cached, folding) ? cached : undefined
    },
    remember: (folding, stream, state, added, { hash, position, revision }) => {
      const found = states.peek(stream)
      const before = found ?? absent(folding)
      if (hash === undefined || !isOf(before, folding) || before.revision + added.length !== revision) return
      replace(stream, found, { folding, state, revision, position, hash, ...measure(state, before, added) })
    },
    withStreamLock: makeKeyedLock()
  }
}

/** Shared by all commands of this process. */
export const LocalAggregates = Context.Reference<LocalAggregates>("chronoforge/platform/LocalAggregates", {
  defaultValue: () => makeLocalAggregates({ maxStates: 10_000, maxCharacters: 16 * 1024 * 1024 })
})
