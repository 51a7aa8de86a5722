import type { Visibility } from "../kernel/visibility.ts"
import type { MemberCommand } from "../members/rules.ts"
import type { AttributeChanges, GroupAttributes } from "./events.ts"

/** What lies around a group limits its visibility. */
export interface Surroundings {
  /** The visibility of the parent group; null for a top-level group. */
  readonly parentVisibility: Visibility | null
  /** The highest among the groups directly below; null for none. */
  readonly subgroupVisibility: Visibility | null
  /** The highest among the projects directly below; null for none. */
  readonly projectVisibility: Visibility | null
}

/** A path below a group; null for the top level. */
export interface Place {
  readonly parentId: number | null
  readonly path: string
}

export interface Create {
  readonly _tag: "Create"
  readonly path: string
  readonly parentId: number | null
  /** How many groups are above it. */
  readonly ancestors: number
  readonly parentVisibility: Visibility | null
  readonly attributes: GroupAttributes
  /** The user who becomes its owner. */
  readonly createdBy: number
  /** Something else has the path. */
  readonly pathTaken: boolean
}

/** Absent settings stay as they are. */
export interface Change {
  readonly _tag: "Change"
  readonly path?: string
  readonly changes: AttributeChanges
  readonly surroundings: Surroundings
  /** Something else has the requested path. */
  readonly pathTaken: boolean
  /** The place of the group when its path was reserved; required with a new path. */
  readonly from?: Place
}

/** Puts a group below another one, or at the top level. What is below it goes with it. */
export interface Transfer {
  readonly _tag: "Transfer"
  /** The place of the group when its path was reserved. */
  readonly from: Place
  /** The group above from now on; null for the top level. */
  readonly parentId: number | null
  readonly parentVisibility: Visibility | null
  /** How many groups will be above it. */
  readonly ancestors: number
  /** How many levels of groups are below it. */
  readonly levelsBelow: number
  /** The group above would be the group itself, or be below it. */
  readonly isBelowItself: boolean
  /** Something else has the path there. */
  readonly pathTaken: boolean
  /** The user who becomes an owner of a top-level group that would have none. */
  readonly by: number
  /** The day is written `YYYY-MM-DD`, in UTC. */
  readonly today: string
}

/** Lets the group show no more than this. */
export interface LimitVisibility {
  readonly _tag: "LimitVisibility"
  readonly maxVisibility: Visibility
}

export type Command = Create | Change | Transfer | LimitVisibility | MemberCommand | { readonly _tag: "Delete" }
