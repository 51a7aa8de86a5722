import type { Issue, Open, State, Update } from "#src/issues/aggregate.ts"
import { type Attributes, IssueEvent } from "#src/issues/events.ts"

export const attributes: Attributes = {
  title: "Uploads fail",
  description: "On flaky links",
  assigneeIds: [7],
  labelIds: [1, 2],
  milestoneId: null,
  dueDate: null,
  isConfidential: false,
  isDiscussionLocked: null
}

export const open: Open = { _tag: "Open", id: 76, authorId: 7, attributes }
export const opened = IssueEvent.cases.IssueOpened.make({ id: 76, authorId: 7, ...attributes })
export const update: Update = { _tag: "Update", by: 8, changes: { title: "Uploads are slow" } }
export const issue: Issue = { id: 76, authorId: 7, attributes, isOpen: true }

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", issue },
  Deleted: { _tag: "Deleted" }
}
