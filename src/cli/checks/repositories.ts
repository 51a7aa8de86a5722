import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { load } from "../../platform/Commands.ts"
import { attempt, Sql } from "../../platform/sql/Sql.ts"
import { projectAggregate } from "../../projects/aggregate.ts"
import { presentIn } from "../../projects/state.ts"
import { checked, fail, ok, warn } from "./Finding.ts"
import { checkRepositoryFiles } from "./repositoryFiles.ts"

/** The finding lists at most this many ids. */
const maxListed = 20

const listed = (ids: ReadonlyArray<number>): string =>
  ids.slice(0, maxListed).join(", ") + (ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "")

/** The ids of all projects in the read model; undefined before there is one. */
const projectIds = Effect.gen(function* () {
  const { client } = yield* Sql
  const [made] = yield* attempt(() => client`select to_regclass('rm_projects.projects') is not null as made`)
  if (made?.made !== true) return undefined
  const rows = yield* attempt(() => client<Array<{ id: number }>>`select id from rm_projects.projects order by id`)
  return rows.map(({ id }) => id)
})

/** What the log knows of the project; read models may be behind. */
const stateOf = (id: number) => Effect.map(load(projectAggregate, id), ({ state }) => state)
const isPresent = (id: number) => Effect.map(stateOf(id), (state) => presentIn(state) !== undefined)

/** Whether each project has its repository, each repository its project, and what is wrong within them. */
export const checkRepositories = checked(
  "repositories",
  "see DATA_DIR/repositories",
  Effect.gen(function* () {
    const projects = yield* projectIds
    if (projects === undefined) return []
    const repositories = yield* (yield* Repositories).ids
    const [known, present] = [new Set(projects), new Set(repositories)]
    const lacking = yield* Effect.filter(
      projects.filter((id) => !present.has(id)),
      isPresent
    )
    const others = repositories.filter((id) => !known.has(id)).toSorted((a, b) => a - b)
    const states = new Map(yield* Effect.forEach(others, (id) => Effect.map(stateOf(id), ({ _tag }) => [id, _tag] as const)))
    const [unknown, deleted] = [
      others.filter((id) => states.get(id) === "Absent"),
      others.filter((id) => states.get(id) === "Deleted")
    ]
    const { findings, note } = yield* checkRepositoryFiles(projects.filter((id) => present.has(id)))
    return [
      ...(lacking.length === 0
        ? []
        : [fail("repositories", `projects without one: ${listed(lacking)}`, "put the folder back from a backup")]),
      ...(unknown.length === 0
        ? []
        : [
            warn(
              "repositories",
              `of no project: ${listed(unknown)}`,
              "they are being made, were left by a kill, or the log is an older one"
            )
          ]),
      ...(deleted.length === 0
        ? []
        : [
            warn(
              "repositories",
              `of deleted projects: ${listed(deleted)}`,
              "the service removes what it began to; for the rest run: npx chronoforge reconcile"
            )
          ]),
      ...findings,
      ...(lacking.length + unknown.length + deleted.length + findings.length === 0
        ? [ok("repositories", `${projects.length}, one for each project${note}`)]
        : [])
    ]
  }).pipe(Effect.provide(Repositories.layer))
)
