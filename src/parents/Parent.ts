import { Schema } from "effect"

// Storage format: part of events.

/** What labels and milestones belong to: a project, or a group, whose subgroups and projects use them too. */
export const Parent = Schema.Struct({ kind: Schema.Literals(["project", "group"]), id: Schema.Int })
export type Parent = typeof Parent.Type

/** The text that tells a parent from all others, such as `project/7`. */
export const parentKey = ({ id, kind }: Parent): string => `${kind}/${id}`

/** The columns of a table whose rows belong to parents: one of both is null. */
export const parentColumns = ({ id, kind }: Parent) => ({
  project_id: kind === "project" ? id : null,
  group_id: kind === "group" ? id : null
})
