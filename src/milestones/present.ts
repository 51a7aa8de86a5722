import { inspectedFaults } from "../http/answer/faults.ts"
import { isoDate, isoMillis } from "../http/answer/jsonTimes.ts"
import { groupUrl } from "../http/answer/references.ts"
import type { Attribute, MilestoneFault } from "./faults.ts"
import type { MilestoneRow } from "./Queries.ts"
import type { AnyMilestone, GroupMilestone, ProjectMilestone } from "./shapes.ts"

/** What presents milestones. */
export interface View {
  readonly externalUrl: string
  /** The time is in milliseconds since 1970: what was due before this day, in UTC, has expired. */
  readonly now: number
}

const pageOf = ({ full_path, iid, project_id }: MilestoneRow, { externalUrl }: View): string =>
  `${project_id === null ? groupUrl(full_path, externalUrl) : `${externalUrl}/${full_path}`}/-/milestones/${iid}`

const last = (row: MilestoneRow, view: View) => ({
  title: row.title,
  description: row.description,
  state: row.state,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  due_date: row.due_date,
  start_date: row.start_date,
  expired: row.due_date !== null && row.due_date < isoDate(view.now),
  web_url: pageOf(row, view)
})

/** A milestone of the project with this id. */
export const presentOfProject = (row: MilestoneRow, projectId: number, view: View): typeof ProjectMilestone.Type => ({
  id: row.id,
  iid: row.iid,
  project_id: projectId,
  ...last(row, view)
})

/** A milestone of the group with this id. */
export const presentOfGroup = (row: MilestoneRow, groupId: number, view: View): typeof GroupMilestone.Type => ({
  id: row.id,
  iid: row.iid,
  group_id: groupId,
  ...last(row, view)
})

/** A milestone where either may stand. */
export const presentMilestone = (row: MilestoneRow, view: View): typeof AnyMilestone.Type =>
  row.project_id === null ? presentOfGroup(row, row.group_id, view) : presentOfProject(row, row.project_id, view)

const attributeKeys: Readonly<Record<Attribute, string>> = {
  title: "title",
  description: "description",
  startDate: "start_date",
  dueDate: "due_date"
}

/** The faults as the reference writes them in the failure of a write: `{:title=>["can't be blank"]}`. */
export const inspectFaults = (faults: ReadonlyArray<MilestoneFault>): string =>
  inspectedFaults(faults, (attribute) => attributeKeys[attribute])
