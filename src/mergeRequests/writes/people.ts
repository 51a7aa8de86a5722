import { Effect } from "effect"
import { can, Projects, principalOf, type ReadableProject } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"

/** No merge request has more people of a kind. */
const maxPeople = 200

const mayRead = Effect.fnUntraced(function* (userId: number, projectId: number) {
  const [user, found] = yield* Effect.all(
    [Users.use((users) => users.find(userId)), Projects.use((projects) => projects.find(String(projectId), userId))],
    { concurrency: 2 }
  )
  if (user === undefined || found === undefined) return false
  return can("read_merge_requests", principalOf({ user }, found.role), found.project)
})

/** Those of the users who may see merge requests of the project, each once, in their order. */
export const peopleAmong = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, { project }: ReadableProject) {
  const known = [...new Set(ids)].filter((id) => id > 0).slice(0, maxPeople)
  const may = yield* Effect.forEach(known, (id) => mayRead(id, project.id), { concurrency: 16 })
  return known.filter((_, index) => may[index])
})

/** Whether a list means nobody. */
export const meansNobody = (ids: ReadonlyArray<number>): boolean => ids.every((id) => id === 0)
