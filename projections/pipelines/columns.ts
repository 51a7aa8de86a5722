import { type Fragment, sql } from "#src/platform/sql/fragment.ts"

const names = [
  ...["id", "iid", "project_id", "sha", "ref", "is_tag", "source", "status", "name", "before_sha", "yaml_errors", "schedule_id"],
  ...["created_at", "updated_at", "started_at", "finished_at"]
]

/** The columns of a `PipelineRow`. */
export const pipelineColumns = (alias: string): string => names.map((name) => `${alias}.${name}`).join(", ")

/** The same as an object. */
export const pipelineObject = (alias: string): string =>
  `json_build_object(${names.map((name) => `'${name}', ${alias}.${name}`).join(", ")})`

/** A user as an object; null where there is none. */
export const userReference = (alias: string): string => `case when ${alias}.id is null then null
  else json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state) end`

/** Whether a row has one of these statuses. One alone is said as such: the planner thinks of a list that it has ten. */
export const hasStatus = (alias: Fragment, statuses: ReadonlyArray<string>): Fragment => {
  const [only] = statuses
  return only !== undefined && statuses.length === 1 ? sql`${alias}.status = ${only}` : sql`${alias}.status = any(${statuses})`
}
