import type { Members } from "../members/state.ts"
import type { Protection } from "./events.ts"
import type { ProjectSettings } from "./settings.ts"

export interface Project {
  readonly namespaceId: number
  readonly path: string
  readonly settings: ProjectSettings
  readonly defaultBranch: string | null
  /** Whether nothing was ever pushed. */
  readonly isEmpty: boolean
  /** Name of the README at the root of the default branch; null for none. */
  readonly readme: string | null
  readonly members: Members
  readonly protections: ReadonlyArray<Protection>
}

/** How an existing project stands. Archived ones are read-only. */
export type Standing = "Active" | "Archived"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: Standing; readonly project: Project }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }
