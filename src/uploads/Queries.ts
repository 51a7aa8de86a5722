import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"

/** An upload of the read model. The time is in milliseconds since 1970. */
export interface UploadRow {
  readonly id: number
  readonly secret: string
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly created_at: number
  /** Who uploaded it; null when that user is deleted. */
  readonly user: UserReferenceRow | null
}

/** How a request names a file. */
export type UploadKey = { readonly id: number } | { readonly secret: string; readonly name: string }

/** What is asked about uploads. */
export class UploadQueries extends Context.Service<
  UploadQueries,
  {
    /** Those of a project, the newest first. */
    readonly list: (projectId: number, slice: Slice) => Effect.Effect<Listed<UploadRow>>
    readonly find: (projectId: number, key: UploadKey) => Effect.Effect<UploadRow | undefined>
  }
>()("chronoforge/uploads/UploadQueries") {}
