import { Effect, Layer } from "effect"
import type { StartError } from "#src/kernel/StartError.ts"
import { EventStore, type Position } from "#src/platform/eventStore/EventStore.ts"
import { spanned } from "#src/platform/logging/tracing.ts"
import { NotYetVisible, Projections } from "#src/platform/Projections.ts"
import { attempt, type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { prepareReadModels } from "./generations.ts"
import { contendForLeadership } from "./leader.ts"
import { Progress } from "./Progress.ts"
import type { ReadModel } from "./ReadModel.ts"
import { cancelRebuild, rebuildProgress, recentRebuilds, requestRebuild } from "./rebuildRequests.ts"

const maxWaitMillis = 10_000
/** While somebody waits, the checkpoint is looked at this often, should a notification be lost with its connection. */
const fallbackPollMillis = 500

interface Checkpoint {
  readonly position: Position
  readonly parked: number
}

const checkpoint = (client: Client, names: ReadonlyArray<string>) =>
  attempt(async () => {
    const [row] = await client<Array<Checkpoint>>`
      select coalesce(min(position), 0) as position, (select count(*) from chronoforge.parked_streams where generation = 'live') as parked
      from chronoforge.read_models where generation = 'live' and name = any(${names})`
    return row ?? { position: 0, parked: 0 }
  })

/** Follows the leader's progress, whichever process that is. */
const follow = (client: Client, names: ReadonlyArray<string>, progress: Progress) =>
  Effect.gen(function* () {
    const refresh = Effect.map(checkpoint(client, names), ({ parked, position }) => progress.advance(position, parked))
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const resync = () => run(Effect.ignore(refresh))
    let isLooking = false
    /** Looks for all who wait at the same time. */
    const look = () => {
      if (isLooking) return
      isLooking = true
      resync().addObserver(() => {
        isLooking = false
      })
    }
    const onProjected = (payload: string) => {
      const [position, parked] = payload.split(" ", 2).map(Number)
      progress.advance(position ?? 0, parked ?? 0)
    }
    yield* Effect.acquireRelease(
      query(() => client.listen("chronoforge_projected", onProjected, resync)),
      (listener) => Effect.ignore(attempt(() => listener.unlisten()))
    )
    return { refresh, look }
  })

/** The read models of this installation: keeps them up to date when this process leads, and answers how far they are. See `prepareReadModels`. */
export const layerProjections = (
  readModels: ReadonlyArray<ReadModel>,
  mayReplace = true
): Layer.Layer<Projections, StartError, Sql | EventStore> =>
  Layer.effect(
    Projections,
    Effect.gen(function* () {
      const { client } = yield* Sql
      const store = yield* EventStore
      const names = readModels.map((readModel) => readModel.name)
      const progress = new Progress()
      yield* prepareReadModels(client, readModels, mayReplace)
      const { look, refresh } = yield* follow(client, names, progress)
      yield* Effect.orDie(refresh)
      yield* Effect.forkScoped(contendForLeadership(readModels, progress))

      const isParked = (stream: string) =>
        query(async () => {
          const rows =
            await client`select 1 from chronoforge.parked_streams where generation = 'live' and stream = ${stream} limit 1`
          return rows.length > 0
        })

      const awaitPosition = Effect.fnUntraced(function* (position: Position, stream?: string) {
        if (position > progress.position) {
          const waiting = { maxMillis: maxWaitMillis, lookMillis: fallbackPollMillis, look }
          const hasArrived = yield* progress.awaitPosition(position, waiting)
          if (!hasArrived) return yield* new NotYetVisible({ position, parked: false })
        }
        if (stream !== undefined && progress.parkedStreams > 0 && (yield* isParked(stream))) {
          return yield* new NotYetVisible({ position, parked: true })
        }
      }, spanned("Projections.awaitPosition"))

      const status = Effect.gen(function* () {
        const head = yield* store.head
        const rows = yield* query(
          () => client<Array<{ name: string; position: number; parked: number }>>`
            select r.name, r.position, (select count(*) from chronoforge.parked_streams p
              where p.read_model = r.name and p.generation = 'live') as parked
            from chronoforge.read_models r where r.generation = 'live' and r.name = any(${names}) order by r.name`
        )
        return {
          leader: progress.leader,
          head,
          readModels: rows.map(({ name, parked, position }) => ({
            name,
            position,
            lag: Math.max(0, head - position),
            parkedStreams: parked
          }))
        }
      })

      return Projections.of({
        names,
        awaitPosition,
        position: Effect.sync(() => progress.position),
        awaitBeyond: (position) => progress.awaitBeyond(position),
        status,
        requestRebuild: (wanted) => requestRebuild(client, wanted),
        rebuildProgress: (id) => rebuildProgress(client, id),
        rebuilds: recentRebuilds(client),
        cancelRebuild: (id) => cancelRebuild(client, id)
      })
    })
  )
