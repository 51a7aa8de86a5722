import { Effect } from "effect"
import { type Ability, can, Projects, principalOf, type ReadableProject } from "../projects/Projects.ts"
import { Users } from "../users/Users.ts"

/** No issue and no merge request has more people of a kind. */
const maxPeople = 200

const may = Effect.fnUntraced(function* (ability: Ability, userId: number, projectId: number) {
  const [user, found] = yield* Effect.all(
    [Users.use((users) => users.find(userId)), Projects.use((projects) => projects.find(String(projectId), userId))],
    { concurrency: 2 }
  )
  if (user === undefined || found === undefined) return false
  return can(ability, principalOf({ user }, found.role), found.project)
})

/** Those of the users who have the ability in the project, each once, in their order. */
export const peopleAmong = Effect.fnUntraced(function* (
  ids: ReadonlyArray<number>,
  { project }: ReadableProject,
  ability: Ability
) {
  const known = [...new Set(ids)].filter((id) => id > 0).slice(0, maxPeople)
  // What is asked for in the same turn of the event loop is one statement for users, and one for projects.
  const has = yield* Effect.forEach(known, (id) => may(ability, id, project.id), { concurrency: "unbounded" })
  return known.filter((_, index) => has[index])
})

/** Whether a list means nobody. */
const meansNobody = (ids: ReadonlyArray<number>): boolean => ids.every((id) => id === 0)

/** What names assignees in a request. */
interface AssigneeParameters {
  readonly assignee_id?: number | null
  readonly assignee_ids?: ReadonlyArray<number> | null
}

/** The assignees that are asked for: one alone beats a list. Undefined where none is named. */
export const assigneesIn = ({ assignee_id, assignee_ids }: AssigneeParameters): ReadonlyArray<number> | undefined => {
  if (assignee_id !== undefined) return assignee_id === null ? [] : [assignee_id]
  return assignee_ids === null ? [] : assignee_ids
}

/** The people in place of those before: a list of nobody who may see the thing changes nothing. */
export const newPeople = Effect.fnUntraced(function* (
  ids: ReadonlyArray<number> | undefined,
  found: ReadableProject,
  ability: Ability
) {
  if (ids === undefined) return undefined
  const among = yield* peopleAmong(ids, found, ability)
  return among.length === 0 && !meansNobody(ids) ? undefined : among
})
