import type { CloudProvider, ClusterSettings, ProviderType } from "./events.ts"

export interface Cluster {
  readonly settings: ClusterSettings
  readonly providerType: ProviderType
  readonly provider: CloudProvider | null
  /** Sealed. */
  readonly token: string
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Connected"; readonly cluster: Cluster }
  | { readonly _tag: "Removed" }

export const initial: State = { _tag: "Absent" }
