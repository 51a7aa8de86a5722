import type { Members } from "../members/state.ts"
import type { Protection } from "./events.ts"
import type { ProjectSettings } from "./settings/settings.ts"

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

/** What the names of a project are made of. */
export interface Place {
  readonly namespaceId: number
  readonly path: string
  readonly name: string
}

export const placeOf = ({ namespaceId, path, settings: { name } }: Project): Place => ({ namespaceId, path, name })

/** How an existing project stands. Archived ones are read-only. */
export type Standing = "Active" | "Archived"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: Standing; readonly project: Project }
  | { readonly _tag: "Deleted" }

/** The project that is there; undefined for none. */
export const presentIn = (state: State): Project | undefined =>
  state._tag === "Absent" || state._tag === "Deleted" ? undefined : state.project

export const initial: State = { _tag: "Absent" }
