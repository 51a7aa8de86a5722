import { none } from "./json.ts"
import { lines, type Records } from "./Records.ts"
import { labelColumns, milestoneColumns } from "./shared.ts"

const labels: Records = {
  relation: "labels",
  statements: [lines(labelColumns("l"), { from: "rm_labels.labels l where l.project_id = $1", order: "l.id" })]
}

const milestones: Records = {
  relation: "milestones",
  statements: [
    lines(`${milestoneColumns("m")}, ${none("events")}`, {
      from: "rm_milestones.milestones m where m.project_id = $1",
      order: "m.id"
    })
  ]
}

export const planning: ReadonlyArray<Records> = [labels, milestones]
