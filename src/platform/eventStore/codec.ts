import { Data, Effect, Result, Schema } from "effect"

/** An event of the log that this code cannot read: unknown type or version, or data that its schema refuses. */
export class UndecodableEvent extends Data.TaggedError("UndecodableEvent")<{
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly reason: string
}> {
  override get message() {
    return `${this.stream} revision ${this.revision} (${this.type}): ${this.reason}`
  }
}

/** Turns data of one schema version into data of the next. */
export type Upcaster = (data: unknown) => unknown

export interface StoredEvent {
  readonly type: string
  readonly schemaVersion: number
  readonly data: unknown
}

/** An event of the log, as far as it has to be known to be read. */
export interface PlacedEvent extends StoredEvent {
  readonly stream: string
  readonly revision: number
}

export interface EventCodec<Event> {
  /** The types of events that it knows. */
  readonly types: ReadonlySet<string>
  readonly encode: (event: Event) => StoredEvent
  readonly decode: (recorded: PlacedEvent) => Result.Result<Event, UndecodableEvent>
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Tagged = { readonly _tag: string }

/**
 * The storage format of a union of events: the tag is the event's type, the rest its data. An event whose data changed its
 * shape has one upcaster for each older version, oldest first; its current version is one more than it has upcasters.
 */
export const eventCodec = <Event extends Tagged, Encoded extends Tagged>(
  schema: Schema.Codec<Event, Encoded> & { readonly cases: { readonly [K in Event["_tag"]]: unknown } },
  upcasters: { readonly [K in Event["_tag"]]?: ReadonlyArray<Upcaster> } = {}
): EventCodec<Event> => {
  const decodeUnknown = Schema.decodeUnknownResult(schema)
  const encode = Schema.encodeSync(schema)
  const older = new Map(Object.entries<ReadonlyArray<Upcaster> | undefined>(upcasters))
  const types: ReadonlySet<string> = new Set(Object.keys(schema.cases))
  const versionOf = (type: string) => (older.get(type)?.length ?? 0) + 1
  const upcast = ({ data, schemaVersion, type }: PlacedEvent): unknown =>
    (older.get(type) ?? []).slice(schemaVersion - 1).reduce((value, next) => next(value), data)

  const decode = (recorded: PlacedEvent): Result.Result<Event, UndecodableEvent> => {
    const { revision, schemaVersion, stream, type } = recorded
    const refuse = (reason: string) => Result.fail(new UndecodableEvent({ stream, revision, type, reason }))
    if (!types.has(type)) return refuse("unknown type")
    if (schemaVersion > versionOf(type)) return refuse(`version ${schemaVersion} is newer than this code`)
    const current = Result.try(() => upcast(recorded))
    if (Result.isFailure(current)) return refuse(reasonOf(current.failure))
    const data = current.success
    if (typeof data !== "object" || data === null) return refuse("data is no object")
    const decoded = decodeUnknown({ ...data, _tag: type })
    return Result.isSuccess(decoded) ? Result.succeed(decoded.success) : refuse(String(decoded.failure.issue))
  }
  return {
    types,
    encode: (event) => {
      const { _tag, ...data } = encode(event)
      return { type: _tag, schemaVersion: versionOf(_tag), data }
    },
    decode
  }
}

/** Decodes events of which none may be lost: one that cannot be read is a defect. */
export const decodeAll = <Event>(
  codec: EventCodec<Event>,
  events: ReadonlyArray<PlacedEvent>
): Effect.Effect<ReadonlyArray<Event>> => Effect.orDie(Effect.forEach(events, (event) => Effect.fromResult(codec.decode(event))))
