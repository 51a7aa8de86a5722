import { Effect } from "effect"
import { Groups, mayReadGroup } from "../../groups/Groups.ts"
import type { Caller, UserRow } from "../../http/access/Caller.ts"
import { accessLevel } from "../../members/levels.ts"
import { spanned } from "../../platform/logging/tracing.ts"

import { type ProjectRow, Projects } from "../../projects/Projects.ts"

import { MergedRequests } from "../MergedRequests.ts"
import { defaultBranchOf } from "../revision.ts"

/** Gap: groups of a configuration beyond these are not looked for. */
const maxGroups = 100

interface CreditInput {
  readonly project: ProjectRow
  readonly caller: Caller
  /** The full paths of groups. */
  readonly includeGroups: ReadonlyArray<string>
}

/** The authors with a merge request into the default branch who are no members. */
const contributorsAmong = Effect.fnUntraced(function* (authors: ReadonlyArray<UserRow>, { project }: CreditInput) {
  const branch = yield* defaultBranchOf(project)
  if (branch === undefined) return []
  const requests = yield* MergedRequests
  const userIds = authors.map(({ id }) => id)
  const found = yield* requests.authorsAmong(userIds, { projectId: project.id, branch })
  const projects = yield* Projects
  const isMember = (userId: number) =>
    Effect.map(projects.find(String(project.id), userId), (member) => (member?.role ?? 0) >= accessLevel.guest)
  return yield* Effect.filter(found, (userId) => Effect.map(isMember(userId), (is) => !is), { concurrency: 100 })
})

/** The authors who are direct members of the groups. Groups that the caller may not read are ignored, like missing ones. */
const includedAmong = Effect.fnUntraced(function* (authors: ReadonlyArray<UserRow>, { caller, includeGroups }: CreditInput) {
  const groups = yield* Groups
  const paths = new Set(includeGroups.filter((path) => !path.includes("\0")).map((path) => path.toLowerCase()))
  const found = yield* Effect.forEach([...paths].slice(0, maxGroups), (path) => groups.find(path, caller.user.id), {
    concurrency: maxGroups
  })
  const ids = found.flatMap((each) => {
    if (each === undefined || each.namespace.kind !== "group" || !mayReadGroup(caller, each)) return []
    return paths.has(each.namespace.full_path.toLowerCase()) ? [each.namespace.id] : []
  })
  if (ids.length === 0) return []
  return yield* groups.directMembersAmong(
    authors.map(({ id }) => id),
    ids
  )
})

/** The ids of the authors who are external contributors, and of those who are credited. */
export const creditOf = Effect.fnUntraced(function* (authors: ReadonlyArray<UserRow>, input: CreditInput) {
  if (authors.length === 0) return { contributors: new Set<number>(), credited: new Set<number>() }
  const [contributors, included] = yield* Effect.all([contributorsAmong(authors, input), includedAmong(authors, input)], {
    concurrency: 2
  })
  return { contributors: new Set(contributors), credited: new Set([...contributors, ...included]) }
}, spanned("changelog.creditOf"))
