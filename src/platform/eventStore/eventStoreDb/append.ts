import { Effect } from "effect"
import {
  type Append,
  type AppendError,
  type Appended,
  AppendTooLarge,
  type ExpectedRevision,
  type NewEvent,
  WrongExpectedRevision
} from "../EventStore.ts"
import { type SealedEvent, type StreamEnd, seal } from "../hashChain.ts"
import type { LogClock } from "./clock.ts"
import { type Connection, ConnectionLost, patiently } from "./connection.ts"
import type { KnownStream, KnownStreams } from "./knownStreams.ts"
import { appendRequests, sizeOf } from "./protocol.ts"

/** What the server has to take in one append, in bytes; its own default is 1 MiB. */
export const maxAppendBytes = 16 * 1024 * 1024 - 10_000

interface Parts {
  readonly connection: Connection
  readonly clock: LogClock
  readonly known: KnownStreams<ConnectionLost>
}

interface Order {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: ReadonlyArray<NewEvent>
}

/** The expected revision, -1 for an absent stream, undefined for any. */
const expectedNumber = (expected: ExpectedRevision): number | undefined =>
  expected === "any" ? undefined : expected === "noStream" ? -1 : expected

const tooLarge = (stream: string, sealed: ReadonlyArray<SealedEvent>, limit: number) =>
  new AppendTooLarge({ stream, bytes: sizeOf(sealed), limit })

const send = ({ clock, connection }: Parts, { events, stream }: Order, end: StreamEnd) =>
  clock.during((at) =>
    Effect.suspend(() => {
      const sealed = seal(stream, end, at, events)
      if (sizeOf(sealed) > maxAppendBytes) return Effect.fail(tooLarge(stream, sealed, maxAppendBytes))
      return connection
        .append(appendRequests(stream, end.revision, sealed))
        .pipe(Effect.catchTag("ServerRefusedSize", ({ limit }) => Effect.fail(tooLarge(stream, sealed, limit ?? maxAppendBytes))))
    })
  )

const repeated = ({ events }: Order, { appended }: KnownStream): Appended | undefined => {
  const last = events.at(-1)
  return last === undefined ? undefined : appended.get(last.id)
}

/** An append of nothing answers where the stream is. */
const lastOf = ({ appended, end }: KnownStream): Appended => ({
  revision: end.revision,
  position: [...appended.values()].at(-1)?.position ?? 0
})

const settle: (parts: Parts, order: Order, stream: KnownStream) => Effect.Effect<Appended, AppendError | ConnectionLost> =
  Effect.fnUntraced(function* (parts, order, stream) {
    const first = repeated(order, stream)
    if (first !== undefined) return first
    const { revision } = stream.end
    if (revision !== (expectedNumber(order.expected) ?? revision)) {
      return yield* new WrongExpectedRevision({ stream: order.stream, expected: order.expected, actual: revision })
    }
    if (order.events.length === 0) return lastOf(stream)
    const answer = yield* send(parts, order, stream.end)
    if (answer._tag === "Appended" && answer.position !== undefined)
      return { revision: answer.revision, position: answer.position }
    const current = yield* parts.known.refresh(order.stream)
    if (current.end.revision > revision) return yield* settle(parts, order, current)
    return yield* new ConnectionLost({ cause: `${order.stream} ends at ${revision}, but the server does not append there` })
  })

/**
 * The stream as the append expects it. What is known may be old: then the server refuses the append, because each is sent with
 * the exact revision that it was sealed for.
 */
const start = ({ known }: Parts, { expected, stream }: Order): Effect.Effect<KnownStream, ConnectionLost> => {
  const remembered = known.peek(stream)
  return remembered.end.revision === expectedNumber(expected) ? Effect.succeed(remembered) : known.refresh(stream)
}

/**
 * Appends with the predecessor's hash. `any` follows the stream's end until an append fits there. A lost connection leaves open
 * what happened, so the append is made again: the event ids show whether it is there.
 */
export const makeAppend = (parts: Parts): Append =>
  Effect.fn("EventStore.append")((stream, expected, events) => {
    const order = { stream, expected, events }
    return patiently(Effect.flatMap(start(parts, order), (known) => settle(parts, order, known)))
  })
