import { Context, type Effect } from "effect"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { AuthorizationType, CloudProvider, ProviderType } from "./events.ts"

/** A cluster of the read model. Times are milliseconds since 1970. The token is not in it. */
export interface ClusterRow {
  readonly id: number
  readonly name: string
  readonly created_at: number
  readonly updated_at: number
  readonly domain: string | null
  readonly enabled: boolean
  readonly managed: boolean
  readonly provider_type: ProviderType
  readonly provider: CloudProvider | null
  readonly environment_scope: string
  readonly namespace_per_environment: boolean
  readonly management_project_id: number | null
  readonly api_url: string
  readonly namespace: string | null
  readonly authorization_type: AuthorizationType
  readonly ca_cert: string | null
  /** The user who added it; null when that user is deleted. */
  readonly creator: UserReferenceRow | null
}

/** What handlers ask about clusters. */
export class ClusterQueries extends Context.Service<
  ClusterQueries,
  {
    /** A slice of all clusters by ascending id, and how many there are. */
    readonly list: (slice: { readonly limit: number; readonly offset: number }) => Effect.Effect<{
      readonly rows: ReadonlyArray<ClusterRow>
      readonly total: number
    }>
    readonly find: (id: number) => Effect.Effect<ClusterRow | undefined>
    /** Whether a cluster other than `except` has exactly this environment scope. */
    readonly hasScope: (scope: string, except?: number) => Effect.Effect<boolean>
  }
>()("chronoforge/clusters/ClusterQueries") {}
