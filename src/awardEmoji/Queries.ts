import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { Awardable } from "./ids.ts"

/** An award of the read model. The time is in milliseconds since 1970. */
export interface AwardRow {
  readonly id: number
  readonly name: string
  readonly user_id: number
  /** It is null when that user is deleted. */
  readonly user: UserReferenceRow | null
  readonly created_at: number
}

/** What handlers ask about awards. */
export class AwardQueries extends Context.Service<
  AwardQueries,
  {
    /** The oldest first. */
    readonly list: (awardable: Awardable, slice: Slice) => Effect.Effect<Listed<AwardRow>>
    readonly find: (awardable: Awardable, id: number) => Effect.Effect<AwardRow | undefined>
  }
>()("chronoforge/awardEmoji/AwardQueries") {}
