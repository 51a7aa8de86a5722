import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { can } from "../abilities.ts"
import { principalOf } from "../Projects.ts"
import { type ProjectDetails, ProjectQueries } from "../Queries.ts"
import type { RepositoryFigures } from "./figures.ts"
import { RepositoryStorage } from "./RepositoryStorage.ts"

const empty: RepositoryFigures = { commits: 0, bytes: 0 }

/** How much is in the repositories of those projects of which the caller may know it, by their ids. */
export const figuresOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>, caller: Caller) {
  const [storage, projects] = [yield* RepositoryStorage, yield* ProjectQueries]
  const ids = rows.filter((row) => can("read_statistics", principalOf(caller, row.role), row)).map(({ id }) => id)
  const tips = ids.length === 0 ? new Map<number, string>() : yield* projects.tips(ids)
  const counted = yield* Effect.forEach(
    ids,
    Effect.fnUntraced(function* (id: number) {
      const tip = tips.get(id)
      return [id, tip === undefined ? empty : yield* storage.figures(id, tip)] as const
    }),
    { concurrency: "unbounded" }
  )
  return new Map(counted)
})

/** The licence of a project; null for none, and for whoever may not read its code. */
export const licenseOfProject = Effect.fnUntraced(function* (row: ProjectDetails, caller: Caller | undefined) {
  const { default_branch: branch, id } = row
  if (branch === null || !can("read_code", principalOf(caller, row.role), row)) return null
  return (yield* RepositoryStorage.use((storage) => storage.license(id, branch))) ?? null
})
