import { Context, Layer } from "effect"
import { type ProcessLock, processLock } from "./processLock.ts"
import type { Sql } from "./sql/Sql.ts"

/**
 * The order of changes of which two at once could leave a group without owner, or the installation without administrator: owners that
 * leave, users that are deleted, administrators that are blocked, groups that come about.
 */
export class OwnerLock extends Context.Service<OwnerLock, ProcessLock>()("chronoforge/platform/OwnerLock") {
  static readonly layer: Layer.Layer<OwnerLock, never, Sql> = Layer.effect(
    OwnerLock,
    processLock("chronoforge-owners", "chronoforge.owners")
  )
}
