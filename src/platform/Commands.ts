import { Data, Effect } from "effect"
import { uuidOf, uuidV7 } from "../kernel/uuid.ts"
import type { Aggregate } from "./Aggregate.ts"
import { decodeAll, type EventCodec } from "./eventStore/codec.ts"
import { type EventMetadata, EventStore, type ExpectedRevision, type NewEvent, type Position } from "./eventStore/EventStore.ts"
import { CurrentOrigin, type Origin } from "./Origin.ts"

export interface Handled<State, Event> {
  readonly stream: string
  /** What the command added, now or in an earlier run; empty when everything was already as it demands. */
  readonly events: ReadonlyArray<Event>
  readonly state: State
  /** Position of the last event of the stream; 0 for an empty one. */
  readonly position: Position
}

const attempts = 16

/** The state of an aggregate as the log has it, with the events that made it. */
export const load = Effect.fnUntraced(function* <Id, C, State, E, R>(aggregate: Aggregate<Id, C, State, E, R>, id: Id) {
  const store = yield* EventStore
  const past = yield* store.read(aggregate.stream(id))
  const events = yield* decodeAll(aggregate.codec, past)
  return { past, events, state: events.reduce(aggregate.evolve, aggregate.initial) }
})

const metadataOf = (origin: Origin, commandId: string): EventMetadata => {
  const { firstCommandId: _, keepId: __, keptId: ___, nextCommandId: ____, onAppended: _____, ...written } = origin
  return { ...written, commandId }
}

type Loaded<State, Event> = Effect.Success<ReturnType<typeof load<unknown, unknown, State, Event, unknown>>>

/** What a command added before; undefined when it added nothing. */
const earlierRun = Effect.fnUntraced(function* <State, Event>(
  stream: string,
  { events, past, state }: Loaded<State, Event>,
  commandId: string
): Effect.fn.Return<Handled<State, Event> | undefined> {
  const added = past.flatMap(({ metadata }, index) => (metadata.commandId === commandId ? [index] : []))
  const last = past[added.at(-1) ?? -1]
  if (last === undefined) return undefined
  const { onAppended } = yield* CurrentOrigin
  onAppended?.(last.position, stream)
  return { stream, events: events.filter((_, index) => added.includes(index)), state, position: past.at(-1)?.position ?? 0 }
})

/** Undefined when another writer was faster. */
const handleOnce = Effect.fnUntraced(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id,
  command: Command,
  commandId: string
) {
  const stream = aggregate.stream(id)
  const loaded = yield* load(aggregate, id)
  const earlier = yield* earlierRun(stream, loaded, commandId)
  if (earlier !== undefined) return earlier
  const { past, state } = loaded
  const decided = yield* Effect.fromResult(aggregate.decide(command, state))
  const unchanged: Handled<State, Event> = { stream, events: [], state, position: past.at(-1)?.position ?? 0 }
  if (decided.length === 0) return unchanged
  const origin = yield* CurrentOrigin
  const metadata = metadataOf(origin, commandId)
  const events = decided.map(
    (event, index): NewEvent => ({ ...aggregate.codec.encode(event), id: uuidOf(`${commandId}/${stream}/${index}`), metadata })
  )
  const appended = yield* appendUnlessOvertaken(stream, past.length === 0 ? "noStream" : past.length - 1, events)
  if (appended === undefined) return undefined
  origin.onAppended?.(appended.position, stream)
  const after = decided.reduce(aggregate.evolve, state)
  const handled: Handled<State, Event> = { stream, events: decided, state: after, position: appended.position }
  return handled
})

const appendUnlessOvertaken = (stream: string, expected: ExpectedRevision, events: ReadonlyArray<NewEvent>) =>
  EventStore.use((store) => store.append(stream, expected, events)).pipe(
    Effect.catchTag("WrongExpectedRevision", () => Effect.succeed(undefined)),
    Effect.catchTag("AppendTooLarge", Effect.die)
  )

/**
 * Appends what has happened already: there is nothing to decide. Answers the position of the last event. Repeating it with the same
 * command id adds nothing. Dies when the stream is not at `expected`; default: whatever it holds.
 */
export const record = Effect.fn("Commands.record")(function* <Event>(
  codec: EventCodec<Event>,
  stream: string,
  happened: ReadonlyArray<Event>,
  { commandId = uuidV7(), expected = "any" }: { readonly commandId?: string; readonly expected?: ExpectedRevision } = {}
) {
  const origin = yield* CurrentOrigin
  const metadata = metadataOf(origin, commandId)
  const events = happened.map(
    (event, index): NewEvent => ({ ...codec.encode(event), id: uuidOf(`${commandId}/${stream}/${index}`), metadata })
  )
  const { position } = yield* EventStore.use((store) => store.append(stream, expected, events)).pipe(Effect.orDie)
  origin.onAppended?.(position, stream)
  return position
})

/** So many writers change this aggregate that the command never got its turn. A defect, answered as 409. */
export class Contended extends Data.TaggedError("Contended")<{ readonly stream: string }> {}

/**
 * Reads the stream, decides, appends; again when another writer was faster. Every command passes here. The ids of the events
 * follow from the command id, so a repeated command (by a client with the same `Idempotency-Key`, or by a reactor after a
 * crash) adds nothing. Fails with the decider's refusal. Read models show the effect after `Projections.awaitPosition`.
 */
export const handle = Effect.fn("Commands.handle")(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id,
  command: Command,
  commandId?: string
) {
  const { nextCommandId = () => uuidV7() } = yield* CurrentOrigin
  const identity = commandId ?? nextCommandId(aggregate.stream(id))
  for (let attempt = 0; attempt < attempts; attempt++) {
    const handled = yield* handleOnce(aggregate, id, command, identity)
    if (handled !== undefined) return handled
  }
  return yield* Effect.die(new Contended({ stream: aggregate.stream(id) }))
})

/**
 * What an earlier run of the request did to this aggregate with its first command; undefined when there was none. To be asked
 * before anything is validated: what the request demands may be refused by now, because it came about.
 */
export const alreadyHandled = Effect.fn("Commands.alreadyHandled")(function* <Id, Command, State, Event, Refusal>(
  aggregate: Aggregate<Id, Command, State, Event, Refusal>,
  id: Id
) {
  const { firstCommandId } = yield* CurrentOrigin
  if (firstCommandId === undefined) return undefined
  const stream = aggregate.stream(id)
  return yield* earlierRun(stream, yield* load(aggregate, id), firstCommandId(stream))
})

/** The same for the aggregate that the request creates under the next id it takes. */
export const alreadyCreated = Effect.fn("Commands.alreadyCreated")(function* <Command, State, Event, Refusal>(
  aggregate: Aggregate<number, Command, State, Event, Refusal>
) {
  const id = (yield* CurrentOrigin).keptId?.()
  const handled = id === undefined ? undefined : yield* alreadyHandled(aggregate, id)
  return id === undefined || handled === undefined ? undefined : { ...handled, id }
})
