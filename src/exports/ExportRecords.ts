import { Context, type Effect } from "effect"
import type { ExportKey } from "./ids.ts"

/** What was taken. */
export interface TakenRecords {
  /** That of the log up to which the records tell. */
  readonly position: number
  /** How many there are of each relation that has any. */
  readonly objects: ReadonlyMap<string, number>
}

/** Some records of a relation, by their numbers from 1. */
export interface RecordRange {
  readonly relation: string
  readonly first: number
  readonly last: number
}

/**
 * What is exported of projects, as text: copied from the read models at once, so that all relations agree with each other, and whoever goes on
 * with an export finds what was there when it began.
 */
export class ExportRecords extends Context.Service<
  ExportRecords,
  {
    /** Takes the records of all relations that have any, unless that was done; undefined where they would take more than so many bytes. */
    readonly take: (of: ExportKey, maxBytes: number) => Effect.Effect<TakenRecords | undefined>
    /** The text of records in UTF-8, in pieces of a few hundred kilobytes; rejects where it cannot be read. */
    readonly read: (of: ExportKey, range: RecordRange) => AsyncGenerator<Buffer, void>
    /** The same in gzip, by its level, made apart from what requests wait for. */
    readonly pack: (of: ExportKey, range: RecordRange, level: number) => AsyncGenerator<Buffer, void>
    /** Forgets what was taken for exports up to this one. */
    readonly forget: (of: ExportKey) => Effect.Effect<void>
  }
>()("chronoforge/exports/ExportRecords") {}
