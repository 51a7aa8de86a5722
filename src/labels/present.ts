import { presentFaults as presentFaultsBy } from "../http/answer/faults.ts"
import { defined } from "../kernel/defined.ts"
import { renderSingleLine } from "../markdown/singleLine.ts"
import { textColorOn } from "./color.ts"
import type { LabelFault } from "./faults.ts"
import type { LabelCount } from "./LabelCounts.ts"
import type { LabelRow } from "./Queries.ts"
import type { GroupLabel, LabelDetails, ProjectLabel } from "./shapes.ts"

/** A label as what has it shows it. */
export const presentDetails = (row: LabelRow): typeof LabelDetails.Type => ({
  id: row.id,
  name: row.title,
  description: row.description,
  description_html: row.description === null ? null : renderSingleLine(row.description),
  text_color: textColorOn(row.color),
  color: row.color
})

/** A label as its group shows it, with counts where they are asked for. */
export const presentOfGroup = (row: LabelRow, count?: LabelCount): typeof GroupLabel.Type => ({
  ...presentDetails(row),
  ...defined({
    open_issues_count: count?.openIssues,
    closed_issues_count: count?.closedIssues,
    open_merge_requests_count: count?.openMergeRequests
  }),
  subscribed: false
})

/** The same in a project. */
export const presentOfProject = (row: LabelRow, count?: LabelCount): typeof ProjectLabel.Type => ({
  ...presentOfGroup(row, count),
  priority: row.priority,
  is_project_label: row.project_id !== null
})

/** The texts by attribute, such as `{"color":["must be a valid color code"]}`. */
export const presentFaults = (faults: ReadonlyArray<LabelFault>) => presentFaultsBy(faults)
