import { Duration, Effect, Stream } from "effect"
import { EventStore, type Position, type RecordedEvent } from "./eventStore/EventStore.ts"
import { CurrentOrigin, type Origin, systemOrigin } from "./Origin.ts"
import { Projections } from "./Projections.ts"
import { lead } from "./sql/leadership.ts"
import { attempt, type Client } from "./sql/Sql.ts"

export interface Reactor<R> {
  /** The name of its checkpoint, such as `pipelines`. */
  readonly name: string
  readonly types: ReadonlySet<string>
  /** Is called at least once for each event: a second time after a crash. Those of one stream come in order. */
  readonly onEvent: (event: RecordedEvent) => Effect.Effect<void, never, R>
}

/** Streams whose events are reacted to at the same time. */
const concurrency = 4
/** An event over which the reactor fails so often in a row is left out. */
const maxFailures = 5

/** After events of no interest it looks away for so long: of a busy log it reads more at a time. */
const pause = Duration.millis(100)

/** The checkpoint is saved behind what was reacted to, else in steps of so much, which a start may read again. */
const maxUnsaved = 10_000

/** Where a reactor goes on: at the end of the log when it runs for the first time. */
const checkpointOf = Effect.fnUntraced(function* (client: Client, name: string) {
  const head = yield* EventStore.use((store) => store.head)
  yield* attempt(
    () => client`insert into chronoforge.reactions (name, position) values (${name}, ${head}) on conflict do nothing`
  )
  const [row] = yield* attempt(
    () => client<Array<{ position: Position }>>`select position from chronoforge.reactions where name = ${name}`
  )
  return row?.position ?? head
})

/** Waits, however long that takes, until read models show an event: for reactors that ask them. */
export const shown = ({ position }: RecordedEvent) =>
  Effect.eventually(Projections.use((projections) => projections.awaitPosition(position)))

/** Reacts to events behind its checkpoint, and to new ones, for ever: in one process at a time. A rebuild of read models does not run it. */
export const react = <R>({ name, onEvent, types }: Reactor<R>) => {
  const originOf = ({ id, metadata }: RecordedEvent): Origin => ({
    ...systemOrigin(name),
    correlationId: metadata.correlationId,
    causationId: id
  })
  // Kept until the checkpoint is behind the event: others of the same batch may fail, too, and bring it here again.
  const failures = new Map<Position, number>()
  const attempted = (event: RecordedEvent) => {
    const count = (failures.get(event.position) ?? 0) + 1
    if (count > maxFailures) return Effect.void
    return Effect.catchDefect(Effect.provideService(onEvent(event), CurrentOrigin, originOf(event)), (defect) => {
      failures.set(event.position, count)
      if (count < maxFailures) return Effect.die(defect)
      return Effect.logError(`Event ${event.revision} of ${event.stream} is left out by the reactor of ${name}`, defect)
    })
  }
  const follow = Effect.fnUntraced(function* (client: Client) {
    const store = yield* EventStore
    const save = (position: Position) =>
      attempt(() => client`update chronoforge.reactions set position = ${position} where name = ${name}`)
    let saved = yield* checkpointOf(client, name)
    let hasCaughtUp = false
    yield* store.subscribe(saved, types).pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* (item) {
          if (item._tag === "CaughtUp") {
            hasCaughtUp = true
            return
          }
          const last = item.events.at(-1)
          if (last === undefined) return
          const among = item.events.filter(({ type }) => types.has(type))
          if (among.length === 0 && last.position - saved < maxUnsaved)
            return hasCaughtUp ? yield* Effect.sleep(pause) : undefined
          const streams = Map.groupBy(among, ({ stream }) => stream)
          const inOrder = (events: ReadonlyArray<RecordedEvent>) => Effect.forEach(events, attempted, { discard: true })
          yield* Effect.forEach(streams.values(), inOrder, { concurrency, discard: true })
          yield* save(last.position)
          saved = last.position
          failures.clear()
        })
      )
    )
  })
  return Effect.provideService(lead({ name: `reactor-${name}`, frozenAfter: 5 }, follow), CurrentOrigin, systemOrigin(name))
}
