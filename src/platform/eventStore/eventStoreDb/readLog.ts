import { Effect } from "effect"
import type { Position, RecordedEvent } from "../EventStore.ts"
import type { Connection } from "./connection.ts"
import type { ConnectionLost } from "./failures.ts"
import { readPage } from "./pages.ts"
import { logEndRequest, logRequest } from "./protocol.ts"

/**
 * A page ends behind the event with which it has so many bytes of data, lest it take more memory or time than there is. It is more than
 * one append may have, so that a page goes beyond the event that it begins with.
 */
const maxPageBytes = 32 * 1024 * 1024

/** Reads on where other programs' events took the place of ours, so that a short answer always means the end of the log. */
export const readLog = Effect.fnUntraced(function* (connection: Connection, after: Position, limit: number, withTexts = false) {
  const found: Array<RecordedEvent> = []
  let from = after
  while (found.length < limit) {
    // The event at `from` is answered once more.
    const count = limit - found.length + 1
    const page = yield* readPage(connection, logRequest(from, count), { maxBytes: maxPageBytes, withTexts })
    const behind = from
    found.push(...page.events.filter(({ position }) => position > behind))
    if (page.isCut && found.length > 0) break
    if (!page.isCut && page.count < count) break
    from = page.last
  }
  return found.slice(0, limit)
})

/** The numbers of events that are read from the end of the log, until one of this service is found. */
const endPages = [1, 100, 10_000]

/** The last event of the log that is of this service. */
export const lastOfLog = (connection: Connection): Effect.Effect<RecordedEvent | undefined, ConnectionLost> =>
  Effect.gen(function* () {
    for (const count of endPages) {
      const page = yield* readPage(connection, logEndRequest(count))
      const last = page.events[0]
      if (last !== undefined || page.count < count) return last
    }
    return undefined
  })
