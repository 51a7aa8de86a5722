import { Schema } from "effect"
import { flag, integer, nullableDay, nullableText, text, time, url } from "../http/answer/fields.ts"

const first = { id: integer("ID of the milestone."), iid: integer("Number of the milestone in its project or group.") }

const last = {
  title: text("Title of the milestone."),
  description: nullableText("What the milestone is about."),
  state: Schema.Literals(["active", "closed"]).annotate({ description: "Whether the milestone is still worked on." }),
  created_at: time("When the milestone was created."),
  updated_at: time("When the milestone was last changed."),
  due_date: nullableDay("Day by which it is to be reached."),
  start_date: nullableDay("Day on which work begins."),
  expired: flag("Whether the due date has passed."),
  web_url: url("Page of the milestone.")
}

/** A milestone of a project. */
export const ProjectMilestone = Schema.Struct({
  ...first,
  project_id: integer("ID of the project."),
  ...last
}).annotate({ identifier: "ProjectMilestone" })

/** A milestone of a group. */
export const GroupMilestone = Schema.Struct({
  ...first,
  group_id: integer("ID of the group."),
  ...last
}).annotate({ identifier: "GroupMilestone" })

/** A milestone where either may stand. */
export const AnyMilestone = Schema.Union([ProjectMilestone, GroupMilestone])
