import { accessLevel } from "../../members/levels.ts"
import type { Grant } from "../events.ts"
import type { AccessLevelRow } from "../Projects.ts"

/** An entry of `allowed_to_push` or a similar parameter. */
export interface LevelInput {
  readonly access_level?: number | null
  readonly id?: number | null
  readonly _destroy?: boolean | null
}

/** No level has this number, so an entry without a level is refused. Entries for single users and groups are not known. */
const noLevel = -1

const levelsOf = (inputs: ReadonlyArray<LevelInput>): ReadonlyArray<number> => [
  ...new Set(inputs.map(({ access_level }) => access_level ?? noLevel))
]

/** The levels of a new protection: those of the list, else the single one, else Maintainers. */
export const newLevels = (
  single: number | null | undefined,
  inputs: ReadonlyArray<LevelInput> | null | undefined
): ReadonlyArray<number> => {
  if (inputs === null || inputs === undefined || inputs.length === 0) return [single ?? accessLevel.maintainer]
  return [...new Set([...levelsOf(inputs), ...(typeof single === "number" ? [single] : [])])]
}

/** The levels of a protection after a change: entries with an id change or end one that is there, others add one. */
export const levelsAfter = (present: ReadonlyArray<AccessLevelRow>, inputs: ReadonlyArray<LevelInput>) => {
  const byId = new Map(inputs.flatMap((entry) => (typeof entry.id === "number" ? [[entry.id, entry] as const] : [])))
  const unchanged = present
    .filter(({ id }) => byId.get(id)?._destroy !== true)
    .map(({ access_level, id }): Grant => ({ id, accessLevel: byId.get(id)?.access_level ?? access_level }))
  const added = levelsOf(inputs.filter(({ id }) => typeof id !== "number"))
  return { unchanged, added: added.filter((level) => unchanged.every(({ accessLevel }) => accessLevel !== level)) }
}
