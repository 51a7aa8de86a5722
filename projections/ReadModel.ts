import { Result } from "effect"
import type { EventCodec, UndecodableEvent } from "#src/platform/eventStore/codec.ts"
import { asItHappened, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import type { IdKind } from "#src/platform/Ids.ts"

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }
/** Column names and JSON values, as Postgres casts them: text arrays as arrays, bytea as `\x…`. */
export type Row = { readonly [column: string]: Json }

/** What an event does to the tables of a read model. Values follow from the event alone, so a repeat changes nothing. */
export type Change =
  /** The whole row is written, whether or not one with its key is there. */
  | { readonly _tag: "Put"; readonly table: string; readonly row: Row }
  /** Some columns of the row with this key change; nothing happens if there is none. */
  | { readonly _tag: "Patch"; readonly table: string; readonly key: Row; readonly columns: Row }
  | { readonly _tag: "Remove"; readonly table: string; readonly key: Row }
  /** Every row whose columns have these values is removed. No patch changes these columns. */
  | { readonly _tag: "RemoveWhere"; readonly table: string; readonly where: Row }
  /** An id was taken according to the log: a restored or rebuilt installation does not give it again. */
  | { readonly _tag: "IdTaken"; readonly kind: IdKind; readonly id: number }

export const put = (table: string, row: Row): Change => ({ _tag: "Put", table, row })
export const patch = (table: string, key: Row, columns: Row): Change => ({ _tag: "Patch", table, key, columns })
export const remove = (table: string, key: Row): Change => ({ _tag: "Remove", table, key })
export const removeWhere = (table: string, where: Row): Change => ({ _tag: "RemoveWhere", table, where })
export const idTaken = (kind: IdKind, id: number): Change => ({ _tag: "IdTaken", kind, id })

/** The pure part of a projector for the events of one area. */
export interface Projection {
  readonly types: ReadonlySet<string>
  readonly project: (recorded: RecordedEvent) => Result.Result<ReadonlyArray<Change>, UndecodableEvent>
}

/** Projects the events of one codec. The time of an event is when it happened, wherever that was; `recordedAt`, when it came into the log. */
export const on = <Event>(
  codec: EventCodec<Event>,
  project: (event: Event, recorded: RecordedEvent, recordedAt: number) => ReadonlyArray<Change>
): Projection => ({
  types: codec.types,
  project: (recorded) => Result.map(codec.decode(recorded), (event) => project(event, asItHappened(recorded), recorded.at))
})

/**
 * Tables that follow from the log. They live in the Postgres schema `rm_<name>`; a rebuild makes `rm_<name>_next` beside it
 * and swaps the two.
 */
export interface ReadModel {
  readonly name: string
  /** The version is raised whenever tables or projections change: the next start then rebuilds before it serves. */
  readonly version: number
  /** `create table` and `create index` statements without schema names. No unique constraint but primary keys. */
  readonly ddl: string
  /** `create index if not exists` statements for what only reads need: a rebuild runs them once it has written all rows. */
  readonly indexes?: string
  /** Primary key columns by table. */
  readonly tables: Readonly<Record<string, ReadonlyArray<string>>>
  readonly projections: ReadonlyArray<Projection>
}
