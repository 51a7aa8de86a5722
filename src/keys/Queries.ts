import { Context, type Effect } from "effect"
import type { UserRow } from "../http/access/Caller.ts"
import type { Slice } from "../http/answer/pagination.ts"
import type { ProjectReferenceRow } from "../http/answer/references.ts"
import type { Fingerprint } from "./fingerprint.ts"
import type { UsageType } from "./userKey/events.ts"

/** A key of the read model, of a user or for deployment. Times are milliseconds since 1970. */
export interface KeyRow {
  readonly id: number
  readonly kind: "user" | "deploy"
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly expires_at: number | null
  /** The algorithm, the blob and the first word of the comment. */
  readonly key: string
  readonly usage_type: UsageType
  readonly fingerprint: string
  readonly fingerprint_sha256: string
}

export interface OwnedKeyRow extends KeyRow {
  /** The user whose key it is, or who created the deploy key; null when they are deleted. */
  readonly owner: UserRow | null
}

/** Use of a deploy key by a project. */
export interface DeployKeyLink {
  readonly id: number
  readonly deploy_key_id: number
  readonly project_id: number
  readonly created_at: number
  readonly updated_at: number
  readonly can_push: boolean
}

/** A deploy key as a project uses it. */
export interface ProjectKeyRow extends KeyRow {
  readonly can_push: boolean
  /** Whether all projects may use it. */
  readonly public: boolean
}

/** A project beside a deploy key that it uses. */
interface KeyProjectRow extends ProjectReferenceRow {
  readonly can_push: boolean
}

export interface DeployKeyRow extends KeyRow {
  /** The projects by ascending id. */
  readonly projects: ReadonlyArray<KeyProjectRow>
}

export interface FoundKey extends OwnedKeyRow {
  /** The links by ascending id; none for the key of a user. */
  readonly links: ReadonlyArray<DeployKeyLink>
  /** Whether all projects may use it. */
  readonly public: boolean
}

export interface Keys {
  readonly rows: ReadonlyArray<KeyRow>
  readonly total: number
}

/** What handlers ask about keys. Lists are by ascending id. */
export class KeyQueries extends Context.Service<
  KeyQueries,
  {
    readonly find: (id: number) => Effect.Effect<OwnedKeyRow | undefined>
    readonly findByFingerprint: (fingerprint: Fingerprint) => Effect.Effect<FoundKey | undefined>
    /** Whether a key with this SHA-256 fingerprint is there. */
    readonly hasFingerprint: (sha256: string) => Effect.Effect<boolean>
    readonly listOfUser: (userId: number, slice: Slice) => Effect.Effect<Keys>
    readonly findOfUser: (userId: number, keyId: number) => Effect.Effect<KeyRow | undefined>
    readonly listDeployKeys: (
      filter: { readonly onlyPublic: boolean },
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<DeployKeyRow>; readonly total: number }>
    /** A deploy key with the projects that use it. */
    readonly findDeployKey: (id: number) => Effect.Effect<FoundKey | undefined>
    readonly listOfProject: (
      projectId: number,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<ProjectKeyRow>; readonly total: number }>
    readonly findOfProject: (projectId: number, keyId: number) => Effect.Effect<ProjectKeyRow | undefined>
  }
>()("chronoforge/keys/KeyQueries") {}
