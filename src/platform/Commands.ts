import { Clock, Data, Effect, Result, Schedule } from "effect"
import { uuidOf, uuidV7 } from "../kernel/uuid.ts"
import type { Aggregate } from "./Aggregate.ts"
import { CurrentRun } from "./CurrentRun.ts"
import { decodeAll, type EventCodec } from "./eventStore/codec.ts"
import {
  type Append,
  type AppendError,
  type Appended,
  asItHappened,
  type EventMetadata,
  EventStore,
  type ExpectedEnd,
  type ExpectedRevision,
  FenceMoved,
  type Fences,
  type NewEvent,
  type Position
} from "./eventStore/EventStore.ts"
import { type Loaded, LocalAggregates } from "./LocalAggregates.ts"
import { spanned } from "./logging/tracing.ts"
import { CurrentOrigin, OnAppended } from "./Origin.ts"

export interface Handled<State, Event> {
  readonly stream: string
  /** What the command added, now or in an earlier run; empty when everything was already as it demands. */
  readonly events: ReadonlyArray<Event>
  readonly state: State
  /** The revision of the last event of the stream; -1 for an empty stream. */
  readonly revision: number
  /** The position of the last event of the stream; 0 for an empty stream. */
  readonly position: Position
}

/** The state of an aggregate as the log has it now. Of one that was used lately only newer events are read. */
export const load = <Id, C, State, E, R>(
  aggregate: Aggregate<Id, C, State, E, R>,
  id: Id
): Effect.Effect<Loaded<State>, never, EventStore> =>
  Effect.flatMap(LocalAggregates, (aggregates) => aggregates.load(aggregate, aggregate.stream(id)))

/** Fails with the refusal of a command that is not to be accepted in this state: asked before anything is made or reserved for it. */
export const requireAcceptable = <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  state: State,
  command: Command
): Effect.Effect<void, Refusal> => Effect.asVoid(Effect.fromResult(aggregate.decide(command, state)))

/** All events of an aggregate, each with the time at which it happened. */
export const history = Effect.fnUntraced(function* <Id, C, S, Event, R>(aggregate: Aggregate<Id, C, S, Event, R>, id: Id) {
  const recorded = (yield* EventStore.use((store) => store.read(aggregate.stream(id)))).map(asItHappened)
  return { recorded, events: yield* decodeAll(aggregate.codec, recorded) }
})

/** What a command added before; undefined when it added nothing. */
export const earlierRun = Effect.fnUntraced(function* <Id, C, State, Event, R>(
  aggregate: Aggregate<Id, C, State, Event, R>,
  id: Id,
  commandId: string
) {
  const { events, recorded } = yield* history(aggregate, id)
  const isAdded = (index: number) => recorded[index]?.metadata.commandId === commandId
  const last = recorded.findLast((_, index) => isAdded(index))
  if (last === undefined) return undefined
  const stream = aggregate.stream(id)
  const onAppended = yield* OnAppended
  onAppended(last.position)
  const handled: Handled<State, Event> = {
    stream,
    events: events.filter((_, index) => isAdded(index)),
    state: events.reduce(aggregate.evolve, aggregate.initial),
    revision: recorded.length - 1,
    position: recorded.at(-1)?.position ?? 0
  }
  return handled
})

const eventsOf = <Event>(codec: EventCodec<Event>, stream: string, happened: ReadonlyArray<Event>, metadata: EventMetadata) =>
  happened.map(
    (event, index): NewEvent => ({ ...codec.encode(event), id: uuidOf(`${metadata.commandId}/${stream}/${index}`), metadata })
  )

const append: (...call: Parameters<Append>) => Effect.Effect<Appended, AppendError, EventStore> = (...call) =>
  spanned("EventStore.append")(EventStore.use((store) => store.append(...call)))

const appendUnlessOvertaken = (...call: Parameters<Append>) =>
  append(...call).pipe(Effect.catchTags({ WrongExpectedRevision: () => Effect.undefined, AppendTooLarge: Effect.die }))

/** Ends of other streams on which a command depends, such as the reservations of the names that it gives. */
export interface Guard<E = never, R = never> {
  readonly fences: Fences
  /** Where they end after one went on; fails where the command may not be carried out any more. */
  readonly lookAgain: Effect.Effect<Fences, E, R>
}

/** The guard of what `look` sees to hold, now and again. */
export const guardOf = <E, R>(look: Effect.Effect<Fences, E, R>): Effect.Effect<Guard<E, R>, E, R> =>
  Effect.map(look, (fences) => ({ fences, lookAgain: look }))

interface Sending {
  readonly commandId: string
  /** Whether the command may have been handled before this call. */
  readonly isRepeat: boolean
  /** Whether others may send the same command at the same time. */
  readonly isShared: boolean
  readonly fences: Fences
}

/** What is decided, with the state that it was decided on and where the stream ends then. */
interface Decided<State, Event> {
  readonly state: State
  readonly revision: number
  readonly end: ExpectedEnd
  readonly events: ReadonlyArray<Event>
}

/** Undefined when another process was faster. */
const appendDecided = Effect.fnUntraced(function* <Id, C, State, Event, R>(
  aggregate: Aggregate<Id, C, State, Event, R>,
  id: Id,
  { end, events, revision, state }: Decided<State, Event>,
  { commandId, fences, isShared }: Sending
) {
  const stream = aggregate.stream(id)
  const added = eventsOf(aggregate.codec, stream, events, { ...(yield* CurrentOrigin), commandId })
  const appended = yield* appendUnlessOvertaken(stream, end, added, { areNew: !isShared, fences })
  if (appended === undefined) return undefined
  // The log answers where the events are that it has already.
  if (appended.revision !== revision + events.length) return yield* earlierRun(aggregate, id, commandId)
  const onAppended = yield* OnAppended
  onAppended(appended.position)
  const after = events.reduce(aggregate.evolve, state)
  // Of a command that others send too the log may have their events.
  if (!isShared) (yield* LocalAggregates).remember(aggregate, stream, after, added, appended)
  const handled: Handled<State, Event> = {
    stream,
    events,
    state: after,
    revision: appended.revision,
    position: appended.position
  }
  return handled
})

/**
 * Decides on the state that this process remembers, without reading: the append is refused when the stream went on. Undefined when it
 * was, when there is no such state, and when the command would change nothing, which only the state of now can tell.
 */
const handleRecalled = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  [id, command]: readonly [Id, Command],
  sending: Sending
) {
  const recalled = (yield* LocalAggregates).recall(aggregate, aggregate.stream(id))
  if (recalled === undefined) return undefined
  const { hash, revision, state } = recalled
  const decided = aggregate.decide(command, state)
  if (Result.isFailure(decided) || decided.success.length === 0) return undefined
  return yield* appendDecided(aggregate, id, { state, revision, end: { revision, hash }, events: decided.success }, sending)
})

/** Handles a command on the state as it is now. Undefined when another process was faster. */
const handleOnce = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  [id, command]: readonly [Id, Command],
  sending: Sending
) {
  const { commandId, isRepeat, isShared } = sending
  const before = isRepeat ? yield* earlierRun(aggregate, id, commandId) : undefined
  if (before !== undefined) return before
  const quick = isShared ? undefined : yield* handleRecalled(aggregate, [id, command], sending)
  if (quick !== undefined) return quick
  const { position, revision, state } = yield* load(aggregate, id)
  const decided = aggregate.decide(command, state)
  if (Result.isFailure(decided) || decided.success.length === 0) {
    const meanwhile = isShared ? yield* earlierRun(aggregate, id, commandId) : undefined
    if (meanwhile !== undefined) return meanwhile
    const stream = aggregate.stream(id)
    const unchanged: Handled<State, Event> = { stream, events: yield* Effect.fromResult(decided), state, revision, position }
    return unchanged
  }
  const end = revision < 0 ? "noStream" : revision
  return yield* appendDecided(aggregate, id, { state, revision, end, events: decided.success }, sending)
})

interface Recording {
  /** Where the stream must be. Default: wherever it is. */
  readonly expected?: ExpectedRevision
  /** Whether a repeat of the request adds nothing. Default: what is recorded twice happened twice. */
  readonly once?: boolean
}

/** Appends what has happened already: there is nothing to decide. Answers the position of the last event. Dies when the stream is elsewhere. */
export const record = Effect.fnUntraced(function* <Event>(
  codec: EventCodec<Event>,
  stream: string,
  happened: ReadonlyArray<Event>,
  { expected = "any", once = false }: Recording = {}
) {
  const run = once ? yield* CurrentRun : undefined
  const commandId = run?.nextCommandId(stream) ?? uuidV7()
  const events = eventsOf(codec, stream, happened, { ...(yield* CurrentOrigin), commandId })
  const { position } = yield* Effect.orDie(append(stream, expected, events, { areNew: run === undefined }))
  const onAppended = yield* OnAppended
  onAppended(position)
  return position
}, spanned("Commands.record"))

/** So much is done to this aggregate, here or by other processes, that the command never got its turn. A defect, answered as 409. */
export class Contended extends Data.TaggedError("Contended")<{ readonly stream: string }> {}

/** How long a command may wait for its turn: when the log is away, not everybody waits for everybody else to find out. */
const maxWaitMillis = 30_000

/** The delays between attempts while other processes are faster. */
const retrySchedule = Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("100 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: "10 seconds" })
)

interface Handling<E, R> {
  /** Default: a new one, or that of the request that is repeated. */
  readonly commandId?: string
  /** What has to hold when the events are appended. */
  readonly guard?: Guard<E, R>
}

const isFenceMoved = (error: unknown): error is FenceMoved => error instanceof FenceMoved

/**
 * Decides a command on the state that this process remembers, or reads what is new in the stream first, and appends the events. Where
 * another process was faster it decides again, for ten seconds. Commands of this process to one stream take turns. Every command passes
 * here. The ids of the events follow from the command id, so a repeated command (by a client with the same `Idempotency-Key`, or by a
 * reactor after a crash) adds nothing. It fails with the decider's refusal, or that of its guard. Read models show the effect after
 * `Projections.awaitPosition`.
 */
export const handle = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal, E = never, R = never>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id,
  command: Command,
  { commandId, guard }: Handling<E, R> = {}
) {
  const stream = aggregate.stream(id)
  const run = yield* CurrentRun
  const identity = {
    commandId: commandId ?? run?.nextCommandId(stream) ?? uuidV7(),
    isRepeat: commandId !== undefined || run?.isRepeat === true,
    isShared: commandId !== undefined || run !== undefined
  }
  let fences = guard?.fences ?? []
  const lookAgain = Effect.map(guard?.lookAgain ?? Effect.succeed([]), (moved) => {
    fences = moved
    return undefined
  })
  const once = Effect.suspend(() => handleOnce(aggregate, [id, command], { ...identity, fences })).pipe(
    Effect.catchIf(isFenceMoved, () => lookAgain)
  )
  const retried = Effect.repeat(once, { schedule: retrySchedule, until: (handled) => handled !== undefined })
  const { withStreamLock } = yield* LocalAggregates
  const since = yield* Clock.currentTimeMillis
  const tried = Effect.filterOrElse(
    once,
    (handled) => handled !== undefined,
    () => retried
  )
  const handled = yield* withStreamLock(
    stream,
    Effect.flatMap(Clock.currentTimeMillis, (now) => (now - since > maxWaitMillis ? Effect.undefined : tried))
  )
  return handled ?? (yield* Effect.die(new Contended({ stream })))
}, spanned("Commands.handle"))

/**
 * Handles the first command to a stream that its caller has just named, without looking whether it is there; where it is, as `handle`
 * does. For what no request repeats.
 */
export const handleNew = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id,
  command: Command
) {
  const run = yield* CurrentRun
  const decided = run === undefined ? aggregate.decide(command, aggregate.initial) : undefined
  if (decided === undefined || Result.isFailure(decided) || decided.success.length === 0) {
    return yield* handle(aggregate, id, command)
  }
  const first = { state: aggregate.initial, revision: -1, end: "noStream", events: decided.success } as const
  const sending = { commandId: uuidV7(), isRepeat: false, isShared: false, fences: [] }
  const handled = yield* Effect.catchIf(appendDecided(aggregate, id, first, sending), isFenceMoved, Effect.die)
  return handled ?? (yield* handle(aggregate, id, command))
}, spanned("Commands.handleNew"))
