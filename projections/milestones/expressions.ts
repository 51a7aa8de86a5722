import { namespacePath } from "../namespaces/expressions.ts"

const stored = [
  "id",
  "iid",
  "project_id",
  "group_id",
  "title",
  "description",
  "state",
  "start_date",
  "due_date",
  "created_at",
  "updated_at"
]

/** The columns of a milestone from the table with this alias, as `MilestoneRow` has them. */
export const milestoneColumns = (alias: string): string => `${stored.map((column) => `${alias}.${column}`).join(", ")},
  case when ${alias}.project_id is null then ${namespacePath(`${alias}.group_id`)} else (
    select ${namespacePath("_p.namespace_id")} || '/' || _p.path from rm_projects.projects _p where _p.id = ${alias}.project_id)
  end as full_path`

/** The milestone with an id, as an object with the same fields; null for none. The id is a trusted expression. */
export const milestoneJson = (id: string): string => `(select to_json(_shown) from (
  select ${milestoneColumns("_m")} from rm_milestones.milestones _m where _m.id = ${id}) _shown)`
