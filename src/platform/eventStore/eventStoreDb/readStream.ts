import { Effect } from "effect"
import { EventStoreUnavailable, type ReadOptions, type RecordedEvent } from "../EventStore.ts"
import { truncatedBefore } from "./answers.ts"
import type { Connection } from "./connection.ts"
import type { ConnectionLost } from "./failures.ts"
import { type Page, readPage } from "./pages.ts"
import { type Direction, settingsRequest, streamRequest } from "./protocol.ts"

const allOfStream = Number.MAX_SAFE_INTEGER

interface Range {
  readonly direction: Direction
  readonly from: number | undefined
  readonly limit: number
}

/** The first revision that is not where it has to be; undefined when all are. */
const missingRevision = ({ absent, count, events }: Page, { direction, from, limit }: Range): number | undefined => {
  if (absent || (count > 0 && events.length === 0)) return undefined
  const start = direction === "forwards" ? (from ?? 0) : (events[0]?.revision ?? -1)
  const step = direction === "forwards" ? 1 : -1
  const gap = events.findIndex(({ revision }, index) => revision !== start + index * step)
  if (gap !== -1) return start + gap * step
  const next = start + events.length * step
  const endsEarly = direction === "backwards" && count < limit && next >= 0
  return endsEarly || (direction === "forwards" && next === 0) ? next : undefined
}

const incomplete = (stream: string, reason: string) =>
  Effect.die(new EventStoreUnavailable({ cause: `stream ${stream} is not whole in EventStoreDB: ${reason}` }))

/** A deleted stream is answered as an absent one, and would go on behind its last revision: only its settings tell. */
export const requireNeverDeleted = (connection: Connection, stream: string): Effect.Effect<void, ConnectionLost> =>
  Effect.suspend(() => {
    let before = 0
    const reading = connection.read(settingsRequest(stream), ({ event: settings }) => {
      before = settings === undefined ? before : truncatedBefore(settings)
      return true
    })
    const deleted = incomplete(
      stream,
      "it was deleted. Restore it from a backup, or set its $tb to 0 if it was not scavenged yet"
    )
    return Effect.flatMap(reading, () => (before > 0 ? deleted : Effect.void))
  })

/**
 * Reads a stream, all of it or none: hashes and states depend on every event. Where the server hides some ($maxCount, $maxAge, $tb),
 * where the stream was deleted, or where another program wrote into it, that is a defect.
 */
export const readStream = Effect.fnUntraced(function* (
  connection: Connection,
  stream: string,
  { direction = "forwards", from, limit = allOfStream }: ReadOptions
) {
  const none: ReadonlyArray<RecordedEvent> = []
  if (limit === 0) return none
  const page = yield* readPage(connection, streamRequest(stream, direction, from, limit))
  if (page.absent) {
    yield* requireNeverDeleted(connection, stream)
    return none
  }
  const missing = missingRevision(page, { direction, from, limit })
  if (missing === undefined) return page.events
  return yield* incomplete(
    stream,
    `revision ${missing} is hidden or of another program. See its settings ($maxCount, $maxAge, $tb)`
  )
})
