import { Effect } from "effect"
import { IssueEvent, issueCodec } from "../../issues/events.ts"
import { issueStream } from "../../issues/ids.ts"
import { type Past, recordPast } from "../../platform/recordPast.ts"
import type { ExportFolder } from "./files.ts"
import { bringAll, type Import, inOrder, untilChanged } from "./Import.ts"
import { importAwards, importNotes } from "./notes.ts"
import { ensurePlanned, labelIdOf, milestoneIdOf } from "./planning.ts"
import { Issue, type StateEvent } from "./shapes/issuables.ts"
import { millis } from "./shapes/values.ts"

const { cases } = IssueEvent

/** The users, each once, in their order. */
export const uniqueUsers = ({ people }: Import, ids: ReadonlyArray<number | null>): ReadonlyArray<number> => [
  ...new Set(ids.flatMap((id) => (id === null ? [] : [people.of(id)])))
]

/** Labels that are there, each once. */
export const uniqueLabels = (to: Import, { label_links }: Pick<Issue, "label_links">): ReadonlyArray<number> => [
  ...new Set(label_links.flatMap(({ label }) => (label === null ? [] : [labelIdOf(to, label)])))
]

const stateChange = (to: Import, { created_at, state, user_id }: StateEvent): ReadonlyArray<Past<IssueEvent>> => {
  const by = to.people.of(user_id)
  const at = millis(created_at)
  if (state === "closed") return [{ event: cases.IssueClosed.make({ by }), at, by }]
  return state === "reopened" ? [{ event: cases.IssueReopened.make({ by }), at, by }] : []
}

/** The changes of state that are told, and that it is closed where they do not tell of it. */
const stateChanges = (to: Import, issue: Issue): ReadonlyArray<Past<IssueEvent>> => {
  const told = issue.resource_state_events.flatMap((event) => stateChange(to, event))
  const isClosed = told.at(-1)?.event._tag === "IssueClosed"
  if (isClosed === (issue.state === "closed")) return told
  const { closed_at, closed_by_id, updated_at } = issue
  const state = issue.state === "closed" ? "closed" : "reopened"
  const at = closed_at ?? issue.resource_state_events.at(-1)?.created_at ?? updated_at
  return [...told, ...stateChange(to, { state, user_id: closed_by_id, created_at: at, source_commit: null })]
}

const eventsOf = (to: Import, id: number, issue: Issue): ReadonlyArray<Past<IssueEvent>> => {
  const authorId = to.people.of(issue.author_id)
  const opened = cases.IssueOpened.make({
    id,
    authorId,
    title: issue.title,
    description: issue.description,
    assigneeIds: uniqueUsers(
      to,
      issue.issue_assignees.map(({ user_id }) => user_id)
    ),
    labelIds: uniqueLabels(to, issue),
    milestoneId: milestoneIdOf(to, issue.milestone),
    dueDate: issue.due_date,
    isConfidential: issue.confidential,
    isDiscussionLocked: issue.discussion_locked
  })
  const happened = inOrder([{ event: opened, at: millis(issue.created_at), by: authorId }, ...stateChanges(to, issue)])
  return untilChanged(happened, cases.IssueChanged.make({ changes: {} }), millis(issue.updated_at))
}

/** The notes come first: each of them changes what it is about, which is told as it was changed last. */
const importIssue = Effect.fnUntraced(function* (to: Import, id: number, issue: Issue) {
  const key = { projectId: to.projectId, iid: issue.iid }
  yield* importNotes(to, { type: "issue", ...key }, issue.notes)
  yield* importAwards(to, { type: "Issue", id }, issue.award_emoji)
  yield* recordPast(issueCodec, issueStream(key), eventsOf(to, id, issue))
  to.onRecord()
})

/** Brings the issues, with their notes. */
export const importIssues = Effect.fn("cli.importIssues")((to: Import, from: ExportFolder) =>
  bringAll(from.records("issues", Issue), {
    kind: "issue",
    prepare: (issues) =>
      ensurePlanned(
        to,
        issues.flatMap(({ label_links }) => label_links),
        issues
      ),
    bring: (id, issue) => importIssue(to, id, issue)
  })
)
