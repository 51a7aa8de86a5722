import type { MemberCommand } from "../members/rules.ts"
import type { AttributeChanges, GroupAttributes, Visibility } from "./events.ts"

/** What lies around a group limits its visibility. */
export interface Surroundings {
  /** Of the group above; null for a top-level group. */
  readonly parentVisibility: Visibility | null
  /** The highest among the groups directly below; null for none. */
  readonly subgroupVisibility: Visibility | null
  /** The highest among the projects directly below; null for none. */
  readonly projectVisibility: Visibility | null
}

export interface Create {
  readonly _tag: "Create"
  readonly path: string
  readonly parentId: number | null
  readonly parentVisibility: Visibility | null
  readonly attributes: GroupAttributes
  /** The user who becomes its owner. */
  readonly createdBy: number
  /** Something else has the path. */
  readonly pathTaken: boolean
}

/** What is absent stays as it is. */
export interface Change {
  readonly _tag: "Change"
  readonly path?: string
  readonly changes: AttributeChanges
  readonly surroundings: Surroundings
  /** Something else has the wished path. */
  readonly pathTaken: boolean
}

export type Command = Create | Change | MemberCommand | { readonly _tag: "Delete" }
