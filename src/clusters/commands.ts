import type { AuthorizationType, ClusterSettings, SettingsChanges } from "./events.ts"

/** Connects an existing cluster. */
export interface Add {
  readonly _tag: "Add"
  readonly settings: ClusterSettings
  readonly authorizationType: AuthorizationType
  readonly addedBy: number
  /** Sealed; null when none was given. */
  readonly token: string | null
  /** Another cluster has this environment scope. */
  readonly scopeTaken: boolean
}

/** What is absent stays as it is. */
export interface Change {
  readonly _tag: "Change"
  readonly changes: SettingsChanges
  /** Sealed; only when it is another than the present one. */
  readonly token?: string
  /** Another cluster has the wished environment scope. */
  readonly scopeTaken: boolean
}

export type Command = Add | Change | { readonly _tag: "Remove" }
