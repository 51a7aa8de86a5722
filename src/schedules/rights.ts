import { can, type ReadableProject } from "../projects/Projects.ts"
import type { ScheduleRow } from "./Queries.ts"

/** Who asks, in which project. */
export interface Asker extends Pick<ReadableProject, "principal" | "project"> {
  readonly userId: number
}

type Owned = Pick<ScheduleRow, "owner_id">

const isDeveloper = ({ principal, project }: Asker): boolean => can("create_pipeline_schedule", principal, project)

/** Whether somebody may change a schedule, as far as that does not depend on its ref: Maintainers take it over first. */
export const mayUpdate = (asker: Asker, { owner_id }: Owned): boolean =>
  isDeveloper(asker) && (owner_id === asker.userId || asker.principal.isAdministrator)

/** Whether somebody may see the variables of a schedule, also where the project is archived. */
export const mayReadVariables = ({ principal, project, userId }: Asker, { owner_id }: Owned): boolean =>
  can("read_variables_of_schedules", principal, project) ||
  (can("read_variables_of_own_schedules", principal, project) && owner_id === userId)

/** Whether somebody may take a schedule over or delete it. */
export const mayManage = (asker: Asker, { owner_id }: Owned): boolean =>
  can("manage_pipeline_schedules", asker.principal, asker.project) || (isDeveloper(asker) && owner_id === asker.userId)
