import { Effect } from "effect"
import { branchRef } from "../../git/refs/refNames.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { LabelQueries } from "../../labels/Labels.ts"
import { MilestoneQueries } from "../../milestones/Milestones.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { RecordedRefs } from "../../pushes/Pushes.ts"
import { Users } from "../../users/Users.ts"
import type { QuickAction } from "./commands.ts"
import type { ResolvedNames } from "./perform.ts"

/** Names of a kind that one text may use; those behind them stand for nothing. */
const maxNames = 200
const concurrency = 8

const several = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].slice(0, maxNames)

const idOf = Effect.fnUntraced(function* (username: string, { user }: Pick<Caller, "user">) {
  if (username === "me") return user.id
  // What is an address is no name.
  return username.includes("@") ? undefined : (yield* Users.use((users) => users.findByLogin(username)))?.id
})

/** The names that mean something. */
const known = Effect.fnUntraced(function* <E, R>(
  names: ReadonlyArray<string>,
  find: (name: string) => Effect.Effect<number | undefined, E, R>
) {
  const found = yield* Effect.forEach(several(names), (name) => Effect.map(find(name), (id) => [name, id] as const), {
    concurrency
  })
  return new Map(found.flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])))
})

/** What the names in quick actions of a merge request into a project mean to their caller. */
export const resolveNames = Effect.fnUntraced(function* (
  actions: ReadonlyArray<QuickAction>,
  { project }: ReadableProject,
  caller: Pick<Caller, "user">
) {
  const place = { parent: { kind: "project", id: project.id }, withAncestors: true } as const
  const titles = actions.flatMap((action) => (action._tag === "SetMilestone" ? [action.title] : []))
  const labels = several(actions.flatMap((action) => ("names" in action ? action.names : [])))
  const branches = actions.flatMap((action) => (action._tag === "SetTargetBranch" ? [action.branch] : []))
  const resolved: ResolvedNames = {
    by: caller.user.id,
    username: caller.user.username,
    people: yield* known(
      actions.flatMap((action) => ("usernames" in action ? action.usernames : [])),
      (username) => idOf(username, caller)
    ),
    milestones: yield* known(titles, (title) =>
      MilestoneQueries.use(({ list }) =>
        Effect.map(list({ ...place, title }, { limit: 1, offset: 0 }), ({ rows }) => rows[0]?.id)
      )
    ),
    labels: new Map(
      labels.length === 0
        ? []
        : (yield* LabelQueries.use(({ named }) => named(place, labels))).map(({ id, title }) => [title, id])
    ),
    branches: new Set(
      yield* Effect.filter(several(branches), (branch) => RecordedRefs.use((refs) => refs.has(project.id, branchRef(branch))), {
        concurrency
      })
    )
  }
  return resolved
})
