import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { Parent } from "../parents/Parent.ts"

/** A label of the read model. Times are milliseconds since 1970. */
export interface LabelRow {
  readonly id: number
  /** One of both is null. */
  readonly project_id: number | null
  readonly group_id: number | null
  readonly title: string
  readonly description: string | null
  readonly color: string
  readonly priority: number | null
  readonly updated_at: number
}

/** The labels that may be used in a place: those of the parent, and of the groups above it where they are wanted. */
export interface LabelPlace {
  readonly parent: Parent
  readonly withAncestors: boolean
}

export interface LabelFilter extends LabelPlace {
  /** Words that are all in the title, or all in the description. */
  readonly search?: string
}

/** What is asked about labels, by other areas too. */
export class LabelQueries extends Context.Service<
  LabelQueries,
  {
    /** By title. */
    readonly list: (filter: LabelFilter, slice: Slice) => Effect.Effect<Listed<LabelRow>>
    /** The label with an id, written as digits, else the one with that title. */
    readonly find: (place: LabelPlace, idOrTitle: string) => Effect.Effect<LabelRow | undefined>
    /** The labels with these titles. Where a group above has one of the same title, that of the parent is told, else the nearest. */
    readonly named: (place: LabelPlace, titles: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LabelRow>>
    /** The labels with these ids, wherever they are, by title. */
    readonly withIds: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<LabelRow>>
  }
>()("chronoforge/labels/LabelQueries") {}
