import { Context, type Effect } from "effect"
import type { DueQuery } from "../platform/reactions/workThrough.ts"

/** How something that is exported stands: 0 is under way, 1 is there, -1 has failed. */
export type ExportStatus = 0 | 1 | -1

/** A batch of a relation that is over. Times are in milliseconds since 1970. */
export interface BatchRow {
  readonly batch_number: number
  readonly status: ExportStatus
  readonly objects: number
  readonly error: string | null
  readonly updated_at: number
}

/** A relation of the export of a project. */
export interface RelationRow {
  readonly relation: string
  readonly status: ExportStatus
  readonly error: string | null
  readonly is_batched: boolean
  /** How many batches it has, once that is known. */
  readonly batches_count: number
  readonly updated_at: number
  /** Those of its batches that are over, in their order. */
  readonly batches: ReadonlyArray<BatchRow>
}

/** Where the content of a relation or batch is. */
export interface ExportedContent {
  /** The number of the export. */
  readonly number: number
  readonly is_batched: boolean
  /** Whether there is such a batch, where one was asked for. */
  readonly has_batch: boolean
  /** The digest of its file, which is its name; null where there is none. */
  readonly sha256: string | null
}

/** An export that is not over. */
export interface DueExport {
  /** The id of the project. */
  readonly id: number
  /** The number of the export. */
  readonly number: number
  /** On whose behalf: the actor of the request, such as `user:7`. */
  readonly requestedBy: string
}

/** What is asked about exports. */
export class ExportQueries extends Context.Service<
  ExportQueries,
  {
    /** The relations of the export of a project, or the one with a name; none where there is no export. */
    readonly relations: (projectId: number, relation?: string) => Effect.Effect<ReadonlyArray<RelationRow>>
    /** Undefined where the project has no export of the relation. */
    readonly content: (
      projectId: number,
      relation: string,
      batch: number | undefined
    ) => Effect.Effect<ExportedContent | undefined>
    /** Exports that are not over, some of each caller. */
    readonly due: (query: DueQuery) => Effect.Effect<ReadonlyArray<DueExport>>
    /** The projects and numbers of exports that were over before a time, in milliseconds since 1970, the oldest first. */
    readonly finishedBefore: (
      time: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly projectId: number; readonly number: number }>>
  }
>()("chronoforge/exports/ExportQueries") {}
