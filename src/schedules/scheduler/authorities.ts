import { Cache, Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import { type PushPolicy, policyOf } from "../../pushes/Pushes.ts"
import { Users } from "../../users/Users.ts"
import type { DeactivationReason } from "../events.ts"

/** As whom a schedule runs, and where. */
export interface Authority {
  readonly owner: UserRow
  readonly found: FoundProject
  /** What the owner may do with branches and tags. */
  readonly policy: PushPolicy
}

/** Why nobody lets a schedule run. */
export interface NoAuthority {
  /** Why the owner may not use the service; undefined where the project is gone. */
  readonly blockedFor: DeactivationReason | undefined
}

export const isAuthority = (found: Authority | NoAuthority): found is Authority => "owner" in found

/** A schedule's owner and project. */
export interface Owned {
  readonly ownerId: number
  readonly projectId: number
}

const blockReasonOf = (owner: UserRow | undefined): DeactivationReason | undefined => {
  if (owner === undefined) return "owner_deleted"
  return owner.state === "active" ? undefined : `owner_${owner.state}`
}

const none = (blockedFor?: DeactivationReason): NoAuthority => ({ blockedFor })

/** As whom and where a schedule runs, as it is now. */
export const authorityOf = Effect.fnUntraced(function* ({ ownerId, projectId }: Owned) {
  const owner = yield* Users.use((users) => users.find(ownerId))
  const blockedFor = blockReasonOf(owner)
  if (owner === undefined || blockedFor !== undefined) return none(blockedFor)
  const found = yield* Projects.use((projects) => projects.find(String(projectId), ownerId))
  if (found === undefined) return none()
  const authority: Authority = { owner, found, policy: yield* policyOf(found, principalOf({ user: owner }, found.role)) }
  return authority
})

const keyOf = ({ ownerId, projectId }: Owned): string => `${ownerId} ${projectId}`

/** Looks up each owner in each project once, for schedules that are due at the same time. */
export const makeAuthorities = Effect.map(
  Cache.make({
    capacity: Number.POSITIVE_INFINITY,
    lookup: (key: string) => {
      const [ownerId = 0, projectId = 0] = key.split(" ").map(Number)
      return authorityOf({ ownerId, projectId })
    }
  }),
  (cache) => (owned: Owned) => Cache.get(cache, keyOf(owned))
)
