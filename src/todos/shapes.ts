import { Schema } from "effect"
import { integer, nullableText, text, time, url } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { MergeRequestDetail } from "../mergeRequests/MergeRequests.ts"
import { Action } from "./events.ts"

/** Something that waits for the caller. */
export const Todo = Schema.Struct({
  id: integer("ID of the to-do item."),
  project: Schema.Struct({
    id: integer("ID of the project."),
    description: nullableText("What the project is about."),
    name: text("Name of the project."),
    name_with_namespace: text("Name with those of the groups around it."),
    path: text("Last part of its path."),
    path_with_namespace: text("Full path."),
    created_at: time("When it was created.")
  }).annotateKey({ description: "The project." }),
  author: Schema.NullOr(UserReference).annotate({ description: "By whom it came about; null when that user is deleted." }),
  action_name: Action.annotate({ description: "Why it waits." }),
  target_type: Schema.Literals(["Issue", "MergeRequest"]).annotate({ description: "What waits." }),
  target: MergeRequestDetail.annotateKey({ description: "The merge request, as it is shown to nobody in particular." }),
  target_url: url("Page of what waits."),
  body: text("Title of what waits."),
  state: Schema.Literals(["pending", "done"]).annotate({ description: "Whether it is done." }),
  created_at: time("When it came about."),
  updated_at: time("When it was done, or came about.")
}).annotate({ identifier: "Todo" })
