import { Context, type Effect } from "effect"
import type { WireError } from "../http/answer/errors.ts"

/** What users need of groups. */
export class OwnedGroups extends Context.Service<
  OwnedGroups,
  {
    /** Deletes groups with everything below them; those that are gone already stay so. */
    readonly remove: (ids: ReadonlyArray<number>) => Effect.Effect<void, WireError>
  }
>()("chronoforge/users/OwnedGroups") {}
