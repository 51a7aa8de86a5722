import { Context, Data, type Effect, type Stream } from "effect"

/** A place in the log: ordered, otherwise opaque. 0 is before the first event. */
export type Position = number

/** The expectation of an append: the last revision of the stream (the first event has revision 0), that it is absent, or none. */
export type ExpectedRevision = number | "noStream" | "any"

/** The last event of a stream as somebody saw it. */
export interface LastEvent {
  readonly revision: number
  /** The hash depends on all events before, so that only the very same stream has it. */
  readonly hash: string
}

/** An append may also expect the very event that the stream ends with. */
export type ExpectedEnd = ExpectedRevision | LastEvent

/** The revision where a stream is expected to end: -1 for an absent stream, undefined for any. */
export const expectedRevision = (expected: ExpectedEnd): number | undefined => {
  if (expected === "any") return undefined
  if (expected === "noStream") return -1
  return typeof expected === "number" ? expected : expected.revision
}

/** The hash that is expected of the last event; undefined for any. */
export const expectedHash = (expected: ExpectedEnd): string | undefined =>
  typeof expected === "object" ? expected.hash : undefined

/** The actor of an event and its context. It never holds a secret. */
export interface EventMetadata {
  /** The actor, `user:<id>` or `system:<part>`. */
  readonly actor: string
  /** The administrator on whose authority `actor` was assumed (sudo). */
  readonly onBehalfOf?: string
  /** All events of one command share it; the same command twice adds nothing. */
  readonly commandId: string
  /** The request or job that began the chain. */
  readonly correlationId: string
  /** The event that led to this command, when a reactor issued it. */
  readonly causationId?: string
  readonly requestId?: string
  readonly idempotencyKey?: string
  /** The W3C trace context. */
  readonly traceparent?: string
  /** When it happened, in milliseconds since 1970, of what happened elsewhere and was imported with its history. */
  readonly occurredAt?: number
}

/** An event that is not in the log yet. `data` is plain JSON. */
export interface NewEvent {
  /** The id is a UUID; an event with the same id is stored once. */
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: unknown
  readonly metadata: EventMetadata
}

/** An event of the log. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  /** The time of recording in milliseconds since 1970, which is never less than that of the event before. */
  readonly at: number
  /** The SHA-256 digest, in 64 hexadecimal digits, over the content and the previous hash of the stream: see `hashChain.ts`. */
  readonly hash: string
  /** Of stores that keep texts, where they were asked for. */
  readonly texts?: StoredTexts
}

/** Whether it happened elsewhere: who was to be told of it was told there. */
export const isImported = ({ metadata }: Pick<RecordedEvent, "metadata">): boolean => metadata.occurredAt !== undefined

/** The event with the time at which it happened: when it was recorded, unless that was elsewhere. */
export const asItHappened = (recorded: RecordedEvent): RecordedEvent =>
  recorded.metadata.occurredAt === undefined ? recorded : { ...recorded, at: recorded.metadata.occurredAt }

/** The texts of an event as they are stored, of which `data` and `metadata` are made. */
export interface StoredTexts {
  readonly data: string
  readonly metadata: string
}

export interface Appended {
  /** The revision of the last event of the append. */
  readonly revision: number
  /** The position of the last event of the append. */
  readonly position: Position
  /** The hash of the last event of the append, of stores that know it without reading. */
  readonly hash?: string
}

export interface ReadOptions {
  /** The first revision that is returned; the default is the first event, backwards the last one. */
  readonly from?: number
  readonly direction?: "forwards" | "backwards"
  /** The highest number of events; the default is all. */
  readonly limit?: number
  /** The caller knows the event at `from`, which may come with empty data and metadata. */
  readonly knowsFirst?: boolean
}

/** A subscription yields the past in batches, then `CaughtUp` once, then what is appended. After a lost connection it goes on where it was. */
export type LogItem = { readonly _tag: "Events"; readonly events: ReadonlyArray<RecordedEvent> } | { readonly _tag: "CaughtUp" }

/** The stream does not end where the caller thought, or not with that event. `actual` is its last revision, -1 for an absent stream. */
export class WrongExpectedRevision extends Data.TaggedError("WrongExpectedRevision")<{
  readonly stream: string
  readonly expected: ExpectedEnd
  readonly actual: number
}> {}

/** Where another stream has to end for an append to be made: its last revision, -1 for an absent stream. */
export interface Fence {
  readonly stream: string
  readonly revision: number
}

export type Fences = ReadonlyArray<Fence>

/** A fence of an append to this stream ends elsewhere; nothing was stored. */
export class FenceMoved extends Data.TaggedError("FenceMoved")<{ readonly stream: string }> {}

/** The append is larger than the store takes; nothing was stored. */
export class AppendTooLarge extends Data.TaggedError("AppendTooLarge")<{
  readonly stream: string
  readonly bytes: number
  readonly limit: number
}> {
  override get message() {
    return `An append of ${this.bytes} bytes to ${this.stream} is over the event store's limit of ${this.limit} bytes`
  }
}

/** The store did not answer, or may not be used. An append may or may not have happened: repeating it with the same event ids, which are not new then, is safe. A defect, answered as 503. */
export class EventStoreUnavailable extends Data.TaggedError("EventStoreUnavailable")<{ readonly cause: unknown }> {
  override get message() {
    return `The event store is unavailable: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

export type AppendError = WrongExpectedRevision | AppendTooLarge | FenceMoved

export interface AppendOptions {
  /**
   * Whether nothing that may be stored has these event ids, so that the store need not look for them. The events of such an append may be
   * stored twice when its caller repeats it. Default: false.
   */
  readonly areNew?: boolean
  /**
   * Ends of other streams without which nothing is stored. EventStoreDB has no appends to which several streams matter, so there they are
   * looked at just before.
   */
  readonly fences?: Fences
}

export type Append = (
  stream: string,
  expected: ExpectedEnd,
  events: ReadonlyArray<NewEvent>,
  options?: AppendOptions
) => Effect.Effect<Appended, AppendError>

/**
 * The log: streams of events in one total order. All adapters pass `test/contracts/eventStoreContract.ts`.
 * Appends commit whole or fail whole. An append whose events are stored already (by id) answers what the first one answered.
 */
export class EventStore extends Context.Service<
  EventStore,
  {
    readonly append: Append
    /** Reads the events of one stream; there are none for an absent stream. */
    readonly read: (stream: string, options?: ReadOptions) => Effect.Effect<ReadonlyArray<RecordedEvent>>
    /** Reads at most `limit` events behind `after`, in log order: fewer where they are large, and none only at the end of the log. */
    readonly readAll: (
      after: Position,
      limit: number,
      options?: { readonly withTexts?: boolean }
    ) => Effect.Effect<ReadonlyArray<RecordedEvent>>
    /** With `types`, events of others may be left out, but for the last one of a batch, which says how far it goes, and may have empty data and metadata. */
    readonly subscribe: (after: Position, types?: ReadonlySet<string>) => Stream.Stream<LogItem>
    /** The position of the last event; 0 for an empty log. */
    readonly head: Effect.Effect<Position>
  }
>()("chronoforge/platform/EventStore") {}
