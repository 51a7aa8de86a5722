import { Effect, Stream } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { hasReacted } from "#src/platform/reactions/hasReacted.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { until } from "../until.ts"

/** The position of the last event of a type; 0 where the log has none. */
const lastOf = (type: string) =>
  EventStore.use((store) =>
    store.subscribe(0, new Set([type])).pipe(
      Stream.takeUntil(({ _tag }) => _tag === "CaughtUp"),
      Stream.flatMap((item) => Stream.fromIterable(item._tag === "CaughtUp" ? [] : item.events)),
      Stream.filter((event) => event.type === type),
      Stream.runFold(
        () => 0,
        (_, { position }) => position
      )
    )
  )

/** Lets a reactor react from the beginning of the log, until it has finished with every event of a type that is in there now. */
export const reactToAll = <R>(name: string, type: string, reactor: Effect.Effect<unknown, never, R>) =>
  Effect.gen(function* () {
    const { client } = yield* Sql
    const last = yield* lastOf(type)
    yield* query(
      () => client`
        insert into chronoforge.reactions (name, position) values (${name}, 0)
        on conflict (name) do update set position = 0, read_to = 0, unfinished = '{}'`
    )
    const state = query(() => client<Array<{ done: boolean }>>`select ${client.unsafe(hasReacted(name, String(last)))} done`)
    const done = Effect.promise(() => until(async () => (await Effect.runPromise(state))[0]?.done === true))
    yield* Effect.raceFirst(reactor, done)
  })
