import { Duration, Effect, Option, Schedule, Stream } from "effect"
import type { LogItem, Position, RecordedEvent } from "../EventStore.ts"
import { checkpointOf, positionOf, type ReadAnswer, recordedEvent } from "./answers.ts"
import type { Connection } from "./connection.ts"
import type { ConnectionLost } from "./failures.ts"
import { type Inbox, openInbox } from "./inbox.ts"
import { type LogPlace, placeAt } from "./protocol.ts"

/** Servers older than 23.10 do not say when a subscription has caught up: then the log's head is asked for, after this silence. */
const caughtUpTimeout = Duration.seconds(1)

const reconnect = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("2 seconds")]).pipe(Schedule.jittered)

/** How far a subscriber is: kept over lost connections. */
interface Cursor {
  /** The last event that came. */
  after: Position
  /** Where the next connection goes on: there, or at a later checkpoint, so that what was passed over is not looked through again. */
  place: LogPlace | undefined
  caughtUp: boolean
}

/** The answers as items, with the cursor moved behind them. */
const itemsOf = (answers: ReadonlyArray<ReadAnswer>, cursor: Cursor): ReadonlyArray<LogItem> => {
  const items: Array<LogItem> = []
  let events: Array<RecordedEvent> = []
  const finishEvents = () => {
    if (events.length > 0) items.push({ _tag: "Events", events })
    events = []
  }
  for (const answer of answers) {
    if (answer.event !== undefined) {
      const event = recordedEvent(answer.event)
      if (event !== undefined) events.push(event)
      cursor.after = positionOf(answer.event)
      cursor.place = placeAt(cursor.after)
    } else if (answer.checkpoint !== undefined) {
      cursor.place = checkpointOf(answer) ?? cursor.place
    } else if (answer.isCaughtUp === true && !cursor.caughtUp) {
      finishEvents()
      items.push({ _tag: "CaughtUp" })
      cursor.caughtUp = true
    }
  }
  finishEvents()
  return items
}

const next = (inbox: Inbox, cursor: Cursor, head: Effect.Effect<Position, ConnectionLost>) =>
  Effect.gen(function* () {
    const arrival = cursor.caughtUp ? Effect.asSome(inbox.waiting) : Effect.timeoutOption(inbox.waiting, caughtUpTimeout)
    if (Option.isSome(yield* arrival)) return itemsOf(inbox.take(), cursor)
    if ((yield* head) > cursor.after) return []
    cursor.caughtUp = true
    return [{ _tag: "CaughtUp" }] satisfies ReadonlyArray<LogItem>
  })

/** A subscription that outlives its connections: it goes on behind the last event that it yielded. */
export const makeSubscribe =
  (connection: Connection, head: Effect.Effect<Position, ConnectionLost>) =>
  (after: Position): Stream.Stream<LogItem> =>
    Stream.suspend(() => {
      const cursor: Cursor = { after, place: placeAt(after), caughtUp: false }
      const opened = Effect.acquireRelease(
        Effect.sync(() => openInbox(connection, cursor.place)),
        (inbox) => Effect.sync(inbox.close)
      )
      return Stream.unwrap(Effect.map(opened, (inbox) => Stream.fromEffectRepeat(next(inbox, cursor, head)))).pipe(
        Stream.flattenIterable,
        Stream.retry(reconnect),
        Stream.orDie
      )
    })
