import { readFileSync } from "node:fs"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { MilestoneEvent, milestoneCodec } from "#src/milestones/events.ts"
import { milestoneIdOf } from "#src/milestones/ids.ts"
import { parentColumns } from "#src/parents/Parent.ts"
import { goingWithParents } from "../namespaces/parents.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove } from "../ReadModel.ts"

const [milestones, numbers] = ["milestones", "numbers"]

const changes = (id: number, at: number, event: MilestoneEvent): ReadonlyArray<Change> => {
  const inState = (state: "active" | "closed") => [patch(milestones, { id }, { state, updated_at: at })]
  return MilestoneEvent.match(event, {
    MilestoneCreated: ({ iid, parent, settings }) => {
      const numbered = { ...parentColumns(parent), iid }
      return [
        idTaken("milestone", id),
        put(milestones, { id, ...numbered, ...snakeCased(settings), state: "active", created_at: at, updated_at: at }),
        put(numbers, { milestone_id: id, ...numbered })
      ]
    },
    MilestoneChanged: (changed) => [patch(milestones, { id }, { ...snakeCased(changed.changes), updated_at: at })],
    MilestoneClosed: () => inState("closed"),
    MilestoneActivated: () => inState("active"),
    MilestoneDeleted: () => [remove(milestones, { id })]
  })
}

/** The milestones of projects and groups. */
export const milestonesReadModel: ReadModel = {
  name: "milestones",
  version: 3,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [milestones]: ["id"], [numbers]: ["milestone_id"] },
  projections: [
    on(milestoneCodec, (event, { at, stream }) => {
      const id = milestoneIdOf(stream)
      return id === undefined ? [] : changes(id, at, event)
    }),
    ...goingWithParents([milestones, numbers])
  ]
}
