import { Effect } from "effect"
import { EventStore, type Position, type RecordedEvent } from "../eventStore/EventStore.ts"

/** This many events are read at a time. */
const page = 10_000
/** The first time it is fewer, for there is nothing else to do until they have come. */
const firstPage = 1_000
/** After this many events, the walk yields to other work, such as receiving the next page. */
const slice = 1_000

export interface Walked {
  readonly events: number
  readonly position: Position
  /** The position of the log's end when the walk began. */
  readonly head: Position
}

const visitPage = (events: ReadonlyArray<RecordedEvent>, visit: (event: RecordedEvent) => void) =>
  Effect.gen(function* () {
    for (let start = 0; start < events.length; start += slice) {
      for (const event of events.slice(start, start + slice)) visit(event)
      yield* Effect.yieldNow
    }
  })

/**
 * Shows every event behind `after` to `visit`, in log order, up to the end that the log had at the start and whatever was read
 * with it. Reads one page ahead. `report` runs after each page.
 */
export const walkLog = Effect.fn("verification.walkLog")(function* (
  after: Position,
  visit: (event: RecordedEvent) => void,
  report: (walked: Walked) => Effect.Effect<void> = () => Effect.void
) {
  const store = yield* EventStore
  const head = yield* store.head
  let events = 0
  let position = after
  let batch = yield* store.readAll(after, firstPage, { withTexts: true })
  while (batch.length > 0) {
    position = batch.at(-1)?.position ?? position
    const following = position < head ? store.readAll(position, page, { withTexts: true }) : Effect.succeed([])
    const [next] = yield* Effect.all([following, visitPage(batch, visit)], { concurrency: 2 })
    events += batch.length
    yield* report({ events, position, head })
    batch = next
  }
  const walked: Walked & { readonly headAfter: Position } = { events, position, head, headAfter: yield* store.head }
  return walked
})
