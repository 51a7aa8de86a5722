import { Context, Layer } from "effect"
import { type ProcessLock, processLock } from "../platform/processLock.ts"
import type { Sql } from "../platform/sql/Sql.ts"

/**
 * The order of groups below groups. Whoever puts one below another has to know that nobody moves or deletes what is above the place
 * meanwhile: two opposite transfers at once would make a ring.
 */
export class GroupTree extends Context.Service<GroupTree, ProcessLock>()("chronoforge/groups/GroupTree") {
  static readonly layer: Layer.Layer<GroupTree, never, Sql> = Layer.effect(
    GroupTree,
    processLock("chronoforge-groups", "chronoforge.groups")
  )
}
