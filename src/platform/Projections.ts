import { Context, Data, type Effect } from "effect"
import type { Position } from "./eventStore/EventStore.ts"

/** The write is in the log, but the read models have not shown it within the time that a request may wait. Answered as 503. */
export class NotYetVisible extends Data.TaggedError("NotYetVisible")<{
  readonly position: Position
  /** Streams that are parked because an event of theirs could not be projected, when the write went to one of them. */
  readonly parked: boolean
}> {}

export interface ReadModelStatus {
  readonly name: string
  readonly position: Position
  /** The number of events, or of bytes of log where positions are bytes, between this read model and the log's head. */
  readonly lag: number
  readonly parkedStreams: number
}

/** A stream of which an event could not be projected. */
export interface ParkedStream {
  readonly readModel: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly error: string
}

export type RebuildState = "requested" | "running" | "finished" | "cancelled" | "failed"

export interface RebuildProgress {
  readonly id: number
  readonly readModels: ReadonlyArray<string>
  readonly state: RebuildState
  /** The number of events that are replayed, with those of runs on which this one goes on. */
  readonly events: number
  /** The position of the rebuild, and that of the log's end when it was last read: their ratio is the progress. */
  readonly position: Position
  readonly head: Position
  /** The rate of this run alone. */
  readonly eventsPerSecond: number
  /** The number of rows that differed from the live ones at the common position; null until compared. */
  readonly differing: number | null
  /** At most 20 differences, as text. */
  readonly examples: ReadonlyArray<string>
  readonly error: string | null
  /** The number of streams that are parked in what was rebuilt, and the first of them in the order of the log. */
  readonly parkedStreams: number
  readonly firstParked: ParkedStream | null
}

/** What requests and commands may ask of the read models without knowing them. Implemented by `projections/`. */
export class Projections extends Context.Service<
  Projections,
  {
    /** Returns as soon as every read model has passed `position`; at most 10 seconds. `stream` makes the refusal say so if it is parked. */
    readonly awaitPosition: (position: Position, stream?: string) => Effect.Effect<void, NotYetVisible>
    /** How far this process knows every read model to be. */
    readonly position: Effect.Effect<Position>
    /** Returns as soon as this process knows every read model to be beyond `position`, however long that takes. */
    readonly awaitBeyond: (position: Position) => Effect.Effect<void>
    readonly status: Effect.Effect<{
      readonly leader: boolean
      readonly head: Position
      readonly readModels: ReadonlyArray<ReadModelStatus>
    }>
    /** Asks the leader to rebuild these read models in one pass; answers the id of the rebuild. Check `names` first. */
    readonly requestRebuild: (names: ReadonlyArray<string>) => Effect.Effect<number>
    readonly rebuildProgress: (id: number) => Effect.Effect<RebuildProgress | undefined>
    /** The rebuilds that are not over, and the last one of each read model, oldest first. */
    readonly rebuilds: Effect.Effect<ReadonlyArray<RebuildProgress>>
    readonly cancelRebuild: (id: number) => Effect.Effect<void>
    readonly names: ReadonlyArray<string>
  }
>()("chronoforge/platform/Projections") {}
