import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { attempt, Sql } from "../../platform/sql/Sql.ts"
import { fail, found, ok, warn } from "./Finding.ts"

/** Ids that are listed. */
const longestList = 20

const listed = (ids: ReadonlyArray<number>): string =>
  ids.slice(0, longestList).join(", ") + (ids.length > longestList ? ` and ${ids.length - longestList} more` : "")

/** Ids of all projects, as the read model has them; undefined before there is one. */
const projectIds = Effect.gen(function* () {
  const { client } = yield* Sql
  const [made] = yield* attempt(() => client`select to_regclass('rm_projects.projects') is not null as made`)
  if (made?.made !== true) return undefined
  const rows = yield* attempt(() => client<Array<{ id: number }>>`select id from rm_projects.projects order by id`)
  return rows.map(({ id }) => id)
})

/** Whether each project has its repository, and each repository its project. */
export const checkRepositories = found(
  "repositories",
  "see DATA_DIR/repositories",
  Effect.gen(function* () {
    const projects = yield* projectIds
    if (projects === undefined) return []
    const repositories = yield* (yield* Repositories).ids
    const [known, present] = [new Set(projects), new Set(repositories)]
    const lacking = projects.filter((id) => !present.has(id))
    const unknown = repositories.filter((id) => !known.has(id)).toSorted((a, b) => a - b)
    return [
      ...(lacking.length === 0
        ? []
        : [fail("repositories", `projects without one: ${listed(lacking)}`, "put the folder back from a backup")]),
      ...(unknown.length === 0
        ? []
        : [warn("repositories", `of no project: ${listed(unknown)}`, "remove them, unless the database is an older one")]),
      ...(lacking.length + unknown.length === 0 ? [ok("repositories", `${projects.length}, one for each project`)] : [])
    ]
  }).pipe(Effect.provide(Repositories.layer))
)
