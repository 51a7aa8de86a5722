import { Context, Data, Duration, Effect, FiberSet, Queue, Schedule, Semaphore, Stream } from "effect"
import { EventStore, isImported, type Position, type RecordedEvent } from "../eventStore/EventStore.ts"
import { CurrentOrigin, type Origin, systemOrigin } from "../Origin.ts"
import { Projections } from "../Projections.ts"
import { attempt, type Client } from "../sql/Sql.ts"
import { FairQueue } from "../work/FairQueue.ts"
import { Progress } from "./Progress.ts"
import { leadReactor } from "./ReactorSession.ts"

export interface Reactor<R, Due = never> {
  /** The name of its checkpoint, such as `pipelines`. */
  readonly name: string
  readonly types: ReadonlySet<string>
  /** Which events of these types it reacts to. The default is all. */
  readonly concerns?: (event: RecordedEvent) => boolean
  /**
   * Is called at least once for each event: a second time after a crash. Those of one stream come in order, one after the other; those of
   * others do not wait for them.
   */
  readonly onEvent: (event: RecordedEvent) => Effect.Effect<void, never, R>
  /** Whether there is anything to do for an event, asked without waiting for a turn, so that many ask together. The default is yes. */
  readonly isDue?: (event: RecordedEvent) => Effect.Effect<boolean, never, Due>
  /** When an event over which it failed comes again; without a next time it is left out. The default goes on for ten minutes. */
  readonly retries?: Schedule.Schedule<unknown>
}

class ReactionFailed extends Data.TaggedError("ReactionFailed")<{ readonly cause: unknown }> {}

/**
 * So many events are reacted to at the same time, of one actor half of them. Those that wait for their next try do not count. Nobody waits
 * for an answer, so each waits as long as it has to.
 */
const turns = { concurrency: 4, perCaller: 2, maxQueued: Number.POSITIVE_INFINITY, timeoutMillis: 2 ** 31 - 1 }
/** So many may be begun and not finished; then reading waits, for each may be large. */
const maxUnfinished = 250

const defaultRetries = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")]).pipe(
  Schedule.upTo({ times: 16 })
)

/** After events of no interest it looks away for so long: of a busy log it reads more at a time. */
const pause = Duration.millis(100)

/** The checkpoint is saved behind what was reacted to, else in steps of so much, which a start may read again. */
const maxUnsaved = 10_000
/** The least time between two savings of the checkpoint. */
const savingInterval = Duration.millis(100)

/** Where the log ended before the service served anything. */
const ServedFrom = Context.Reference<Position | undefined>("chronoforge/platform/reactions/ServedFrom", {
  defaultValue: () => undefined
})

/** Lets reactors that run for the first time begin where the log ends now: they react to whatever is served from here on, however late they come to it. */
export const fromHere = <A, E, R>(serving: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    EventStore.use((store) => store.head),
    (head) => Effect.provideService(serving, ServedFrom, head)
  )

/** Where a reactor goes on: where serving began, else at the end of the log, when it runs for the first time. */
const checkpointOf = Effect.fnUntraced(function* (client: Client, name: string) {
  const head = (yield* ServedFrom) ?? (yield* EventStore.use((store) => store.head))
  yield* attempt(
    () => client`insert into chronoforge.reactions (name, position) values (${name}, ${head}) on conflict do nothing`
  )
  const [row] = yield* attempt(
    () => client<Array<{ position: Position }>>`select position from chronoforge.reactions where name = ${name}`
  )
  return row?.position ?? head
})

/** Waits, however long that takes, until read models show an event: for reactors that ask them. */
export const awaitVisible = ({ position }: RecordedEvent) =>
  Effect.eventually(Projections.use((projections) => projections.awaitPosition(position)))

/**
 * Reacts to events behind its checkpoint, and to new ones, for ever: in one process at a time. A rebuild of read models does not run it, and
 * what was imported with its history had its reactions elsewhere.
 */
export const react = <R, Due = never>(reactor: Reactor<R, Due>) => {
  const { concerns = () => true, isDue = () => Effect.succeed(true), name, onEvent, retries = defaultRetries, types } = reactor
  const originOf = ({ id, metadata }: RecordedEvent): Origin => ({
    ...systemOrigin(name),
    correlationId: metadata.correlationId,
    causationId: id
  })
  const follow = Effect.fnUntraced(function* (client: Client) {
    const store = yield* EventStore
    const start = yield* checkpointOf(client, name)
    const progress = new Progress(start)
    const streams = new Map<string, Array<RecordedEvent>>()
    const [places, room] = [new FairQueue(turns), Semaphore.makeUnsafe(maxUnfinished)]
    const fibers = yield* FiberSet.make<void>()
    const toSave = yield* Queue.sliding<void>(1)

    let saved = start
    const save = Effect.gen(function* () {
      yield* Queue.take(toSave)
      const { checkpoint, readTo, unfinished } = progress
      yield* attempt(
        () => client`
          update chronoforge.reactions set position = ${checkpoint}, read_to = ${readTo}, unfinished = ${[...unfinished]}::bigint[]
          where name = ${name}`
      )
      saved = checkpoint
    })

    const inTurn = (event: RecordedEvent) =>
      Effect.orDie(
        places.run(
          { caller: event.metadata.actor },
          Effect.suspend(() => onEvent(event))
        )
      )
    const attempted = (event: RecordedEvent) =>
      Effect.suspend(() => isDue(event)).pipe(
        Effect.flatMap((due) => (due ? inTurn(event) : Effect.void)),
        Effect.provideService(CurrentOrigin, originOf(event)),
        Effect.catchDefect((cause) => Effect.fail(new ReactionFailed({ cause }))),
        Effect.retry(retries),
        Effect.catch(({ cause }) =>
          Effect.logError(`Event ${event.revision} of ${event.stream} is left out by the reactor of ${name}`, cause)
        )
      )
    const finishStream = Effect.fnUntraced(function* (stream: string, waiting: Array<RecordedEvent>) {
      for (let event = waiting[0]; event !== undefined; event = waiting[0]) {
        yield* attempted(event)
        waiting.shift()
        progress.finish(event.position)
        yield* room.release(1)
        yield* Queue.offer(toSave, undefined)
      }
      streams.delete(stream)
    })
    const begin = Effect.fnUntraced(function* (event: RecordedEvent) {
      yield* room.take(1)
      progress.begin(event.position)
      const waiting = streams.get(event.stream) ?? []
      waiting.push(event)
      if (waiting.length > 1) return
      streams.set(event.stream, waiting)
      yield* FiberSet.run(fibers, finishStream(event.stream, waiting))
    })

    let hasCaughtUp = false
    const read = Stream.runForEach(
      store.subscribe(start, types),
      Effect.fnUntraced(function* (item) {
        if (item._tag === "CaughtUp") {
          hasCaughtUp = true
          return
        }
        const last = item.events.at(-1)
        if (last === undefined) return
        const among = item.events.filter((event) => types.has(event.type) && !isImported(event) && concerns(event))
        yield* Effect.forEach(among, begin, { discard: true })
        progress.read(last.position)
        if (progress.checkpoint - saved >= maxUnsaved) yield* Queue.offer(toSave, undefined)
        if (among.length === 0 && hasCaughtUp) yield* Effect.sleep(pause)
      })
    )
    yield* Effect.all([read, Effect.repeat(save, Schedule.spaced(savingInterval))], { concurrency: "unbounded", discard: true })
  }, Effect.scoped)
  return Effect.provideService(leadReactor(`reactor-${name}`, follow), CurrentOrigin, systemOrigin(name))
}
