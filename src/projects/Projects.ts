import { Context, type Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { SnakeCased } from "../kernel/letterCase.ts"
import type { Asker } from "./abilities.ts"
import type { ProjectSettings } from "./settings/settings.ts"

/** A project of the read model. Times are milliseconds since 1970. */
export interface ProjectRow extends SnakeCased<ProjectSettings> {
  readonly id: number
  readonly namespace_id: number
  readonly creator_id: number
  readonly path: string
  /** `group/subgroup/path` */
  readonly path_with_namespace: string
  readonly archived: boolean
  /** Null until it is chosen or pushed. */
  readonly default_branch: string | null
  /** Whether nothing was ever pushed. */
  readonly empty_repo: boolean
  /** Name of the README at the root of the default branch; null for none. */
  readonly readme: string | null
  /** The project that it is a fork of. */
  readonly forked_from_id: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_activity_at: number
}

/** A project together with the role that somebody has in it. */
export interface FoundProject {
  readonly project: ProjectRow
  /** Highest access level, inherited ones included; 0 for none. */
  readonly role: number
  /** Whether the path that was asked for is an old one. */
  readonly isMoved: boolean
}

/** What a push to a protected branch or tag needs. */
export interface ProtectedRefRow {
  readonly id: number
  readonly project_id: number
  readonly kind: "branch" | "tag"
  /** A name, or a pattern with `*`. */
  readonly name: string
  readonly allow_force_push: boolean
  readonly push_access_levels: ReadonlyArray<AccessLevelRow>
  /** Empty for a tag. */
  readonly merge_access_levels: ReadonlyArray<AccessLevelRow>
  /** Milliseconds since 1970. */
  readonly updated_at: number
}

/** Least access level, 0 for nobody. A grant to a single user or deploy key names them. */
export interface AccessLevelRow {
  readonly id: number
  readonly access_level: number
}

/** What other areas may ask of projects. */
export class Projects extends Context.Service<
  Projects,
  {
    /** Digits are an id; anything else a full path, in any case, old ones included. Without user the role is 0. */
    readonly find: (idOrPath: string, userId: number | undefined) => Effect.Effect<FoundProject | undefined>
    /** By name. */
    readonly protectedRefs: (projectId: number, kind: "branch" | "tag") => Effect.Effect<ReadonlyArray<ProtectedRefRow>>
  }
>()("chronoforge/projects/Projects") {}

/** Who asks a project for something. */
export const askerOf = (caller: Caller | undefined, role: number): Asker => ({
  role,
  isAdministrator: caller?.user.admin === true,
  isSignedIn: caller !== undefined,
  isExternal: caller?.user.external === true
})

export { protecting } from "./protections/faults.ts"
export { protectDefaultBranch } from "./protections/firstPush.ts"
