import type { Visibility } from "../kernel/visibility.ts"
import type { MemberCommand } from "../members/rules.ts"
import type { Grant, Protection, RefKind } from "./events.ts"
import type { ProjectSettings, SettingsChanges } from "./settings/settings.ts"
import type { Place } from "./state.ts"

/** What limits the visibility of a project. */
export interface Ceiling {
  readonly visibility: Visibility
  readonly of: "group" | "fork source"
}

/** What a repository has when its project is created or first pushed to: its default branch, and how that is protected. */
export interface Content {
  readonly defaultBranch: string
  /** Added unless a protection holds for the branch already. */
  readonly protection: Protection | null
}

export interface Create {
  readonly _tag: "Create"
  readonly namespaceId: number
  readonly creatorId: number
  /** The user whose personal namespace it lies in; null in a group. */
  readonly ownerId: number | null
  readonly path: string
  readonly defaultBranch: string | null
  readonly settings: ProjectSettings
  readonly forkedFrom: number | null
  /** The content; null for an empty repository. */
  readonly content: Content | null
  readonly ceilings: ReadonlyArray<Ceiling>
}

/** Absent settings stay as they are. */
export interface Change {
  readonly _tag: "Change"
  readonly path?: string
  readonly changes: SettingsChanges
  readonly defaultBranch?: string
  readonly ceilings: ReadonlyArray<Ceiling>
  /** The place of the project when the new path and name were reserved; required with either. */
  readonly from?: Place
}

/** Gives the project to another namespace. */
export interface Transfer {
  readonly _tag: "Transfer"
  /** The place of the project when its names were reserved. */
  readonly from: Place
  readonly namespaceId: number
  /** The user whose personal namespace it is; null for a group. */
  readonly ownerId: number | null
  /** The highest visibility that the namespace allows; what is above it becomes it. */
  readonly maxVisibility: Visibility
  readonly by: number
}

/** Lets the project show no more than this. */
export interface LimitVisibility {
  readonly _tag: "LimitVisibility"
  readonly maxVisibility: Visibility
}

/** Notes that the repository has commits now. */
export interface Fill extends Content {
  readonly _tag: "Fill"
}

/** What is absent stays as it is. Levels are given with the ids that they have then. */
export interface ChangeProtection {
  readonly _tag: "ChangeProtection"
  readonly kind: RefKind
  readonly name: string
  readonly allowForcePush?: boolean
  readonly push?: ReadonlyArray<Grant>
  readonly merge?: ReadonlyArray<Grant>
}

export type Command =
  | Create
  | Change
  | Transfer
  | LimitVisibility
  | Fill
  | { readonly _tag: "NoteReadme"; readonly readme: string | null }
  | { readonly _tag: "Protect"; readonly protection: Protection }
  | ChangeProtection
  | { readonly _tag: "Unprotect"; readonly kind: RefKind; readonly name: string }
  | { readonly _tag: "Archive" }
  | { readonly _tag: "Unarchive" }
  | { readonly _tag: "Delete" }
  | MemberCommand
