import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js"
import { Effect } from "effect"
import type { Position, RecordedEvent } from "../EventStore.ts"
import { positionOf, recordedEvent, recordedTexts } from "./answers.ts"
import type { Connection } from "./connection.ts"
import type { ConnectionLost } from "./failures.ts"

export interface Page {
  readonly events: ReadonlyArray<RecordedEvent>
  /** The number of events of this page, including those of other programs. */
  readonly count: number
  readonly last: Position
  /** Whether it ends because it is large: there may be more. */
  readonly isCut: boolean
  /** Whether the server has no events under this name. */
  readonly absent: boolean
}

/** One answer of the server, or its beginning: up to the event with which it has `maxBytes` of data. */
export const readPage = (
  connection: Connection,
  request: ReadReq,
  { maxBytes = Number.POSITIVE_INFINITY, withTexts = false } = {}
): Effect.Effect<Page, ConnectionLost> =>
  Effect.suspend(() => {
    const events: Array<RecordedEvent> = []
    let [count, last, bytes, absent] = [0, 0, 0, false]
    const reading = connection.read(request, ({ event: sent, isAbsent = false }) => {
      if (isAbsent) absent = true
      if (sent === undefined) return true
      const event = (withTexts ? recordedTexts : recordedEvent)(sent)
      if (event !== undefined) events.push(event)
      count += 1
      last = positionOf(sent)
      bytes += sent.bytes
      return bytes < maxBytes
    })
    return Effect.map(reading, () => ({ events, count, last, absent, isCut: bytes >= maxBytes }))
  })
