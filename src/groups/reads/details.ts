import { Effect } from "effect"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../http/access/Caller.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { presentShare } from "../../members/present.ts"
import { GroupProjects } from "../GroupProjects.ts"
import { maySeeGroup, viewerOf } from "../Groups.ts"
import { type FoundGroup, mayAdminister } from "../permissions.ts"
import { GroupQueries } from "../Queries.ts"
import { presentDetails } from "./present.ts"

interface DetailsInput {
  readonly caller: Caller | undefined
  readonly request: RequestInfo
  /** The default is true. */
  readonly withProjects?: boolean | null
}

/** A group as it is shown alone. */
export const details = Effect.fnUntraced(function* (found: FoundGroup, { caller, request, withProjects = true }: DetailsInput) {
  const groupId = found.namespace.id
  const instance = { externalUrl: request.externalUrl, branchProtection: (yield* AppConfig).defaultBranchProtection }
  const shares = yield* GroupQueries.use((groups) => groups.shares(groupId, viewerOf(caller)))
  const contents = withProjects
    ? { contents: yield* GroupProjects.use((projects) => projects.shown({ groupId, caller, request })) }
    : {}
  const sharedWith = shares.filter((share) => maySeeGroup(caller, share)).map(presentShare)
  const isOwner = mayAdminister(caller, found)
  return presentDetails(found.namespace, { isOwner, sharedWith, ...contents }, instance)
})
