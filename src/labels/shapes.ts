import { Schema } from "effect"
import { flag, integer, nullableInteger, nullableText, text } from "../http/answer/fields.ts"

const details = {
  id: integer("ID of the label."),
  name: text("Title of the label."),
  description: nullableText("What the label is for."),
  description_html: nullableText("The description as HTML."),
  text_color: Schema.Literals(["#FFFFFF", "#1F1E24"]).annotate({ description: "Color of text that is read well on the label." }),
  color: text("Color of the label, such as `#FF0000`.")
}

/** A label as what has it shows it. */
export const LabelDetails = Schema.Struct(details).annotate({ identifier: "LabelDetails" })

const count = (description: string) => Schema.optionalKey(integer(description))

const groupFields = {
  ...details,
  open_issues_count: count("Open issues with the label, where counts are asked for."),
  closed_issues_count: count("Closed issues with the label, where counts are asked for."),
  open_merge_requests_count: count("Open merge requests with the label, where counts are asked for."),
  subscribed: flag("False: nobody subscribes to labels.")
}

/** A label as its group lists it. */
export const GroupLabel = Schema.Struct(groupFields).annotate({ identifier: "GroupLabel" })

/** A label as a project lists it, which may be one of a group above. */
export const ProjectLabel = Schema.Struct({
  ...groupFields,
  priority: nullableInteger("Priority of the label in the project: the lower, the more urgent; null for none."),
  is_project_label: flag("Whether the label belongs to the project, and not to a group above.")
}).annotate({ identifier: "ProjectLabel" })
