import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { isDraft, unmarkDraft } from "#src/mergeRequests/text/drafts.ts"
import {
  addedCommits,
  changedTargetBranch,
  changedTimeEstimate,
  changedTitle,
  spentTime,
  systemNotes
} from "#src/mergeRequests/text/systemNotes.ts"
import type { PeopleChange } from "#src/notes/Queries.ts"

/** What the service writes below a merge request: a text, or people, whose names are told as they are when it is read. */
export interface SystemNote {
  readonly body: string
  readonly people: PeopleChange | null
}

const said = (body: string): SystemNote => ({ body, people: null })

/** Who came and who went; nothing where nobody did. */
const peopleChange = (
  role: PeopleChange["role"],
  now: ReadonlyArray<number> | undefined,
  before: ReadonlyArray<number> | undefined = []
): ReadonlyArray<SystemNote> => {
  if (now === undefined) return []
  const added = now.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !now.includes(id))
  return added.length + removed.length === 0 ? [] : [{ body: "", people: { role, added, removed } }]
}

/** That it became a draft, or is none any more, and what else changed of the title. */
const retitled = (now: string | undefined, before: string | undefined): ReadonlyArray<SystemNote> => {
  if (now === undefined || before === undefined) return []
  const isMarked = isDraft(now) !== isDraft(before)
  return [
    ...(isMarked ? [said(isDraft(now) ? systemNotes.markedDraft : systemNotes.markedReady)] : []),
    ...(unmarkDraft(now) === unmarkDraft(before) ? [] : [said(changedTitle(before, now))])
  ]
}

type Changed = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestChanged" }>

/** What was before is told since the first release that had notes. */
const changed = ({ before = {}, changes }: Changed): ReadonlyArray<SystemNote> => {
  const { targetBranch } = changes
  return [
    ...retitled(changes.title, before.title),
    ...(changes.description === undefined ? [] : [said(systemNotes.changedDescription)]),
    ...(targetBranch === undefined || before.targetBranch === undefined
      ? []
      : [said(changedTargetBranch(before.targetBranch, targetBranch))]),
    ...peopleChange("assignee", changes.assigneeIds, before.assigneeIds),
    ...peopleChange("reviewer", changes.reviewerIds, before.reviewerIds),
    ...(typeof changes.isDiscussionLocked === "boolean"
      ? [said(changes.isDiscussionLocked ? systemNotes.locked : systemNotes.unlocked)]
      : [])
  ]
}

/** The notes that follow from an event of a merge request, in their order. */
export const systemNotesOf = (event: MergeRequestEvent): ReadonlyArray<SystemNote> => {
  const { guards } = MergeRequestEvent
  if (guards.MergeRequestChanged(event)) return changed(event)
  if (guards.MergeRequestOpened(event))
    return [...peopleChange("assignee", event.assigneeIds), ...peopleChange("reviewer", event.reviewerIds)]
  if (guards.MergeRequestClosed(event)) return [said(systemNotes.closed)]
  if (guards.MergeRequestReopened(event)) return [said(systemNotes.reopened)]
  if (guards.MergeRequestMerged(event)) return [said(systemNotes.merged)]
  if (guards.MergeRequestApproved(event)) return [said(systemNotes.approved)]
  if (guards.MergeRequestUnapproved(event)) return [said(systemNotes.unapproved)]
  if (guards.VersionAdded(event))
    return event.pushed === undefined ? [] : [said(addedCommits(event.pushed.count, event.pushed.first))]
  if (guards.TimeEstimated(event)) return [said(changedTimeEstimate(event.seconds))]
  if (guards.TimeSpent(event)) return [said(spentTime(event.seconds))]
  if (guards.SpentTimeReset(event)) return [said(systemNotes.removedTimeSpent)]
  return []
}
