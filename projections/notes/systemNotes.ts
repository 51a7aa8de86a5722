import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { isDraft, unmarkDraft } from "#src/mergeRequests/text/drafts.ts"
import {
  abortedAutoMerge,
  addedCommits,
  changedTargetBranch,
  changedTimeEstimate,
  changedTitle,
  deletedSourceBranch,
  deletedTargetBranch,
  enabledAutoMerge,
  markedDraftFrom,
  spentTime,
  systemNotes
} from "#src/mergeRequests/text/systemNotes.ts"
import type { NamedChange } from "#src/notes/Queries.ts"

/** What the service writes below a merge request: a text, or people and things, whose names are told as they are when it is read. */
export interface SystemNote {
  readonly body: string
  readonly named: NamedChange | null
}

const said = (body: string): SystemNote => ({ body, named: null })

/** What came and went; nothing where nothing did. */
const namedChange = (change: NamedChange): ReadonlyArray<SystemNote> =>
  change.added.length + change.removed.length === 0 ? [] : [{ body: "", named: change }]

/** Who came and who went; nothing where nobody did. */
const peopleChange = (
  kind: NamedChange["kind"],
  now: ReadonlyArray<number> | undefined,
  before: ReadonlyArray<number> | undefined = []
): ReadonlyArray<SystemNote> => {
  if (now === undefined) return []
  const added = now.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !now.includes(id))
  return namedChange({ kind, added, removed })
}

type Changed = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestChanged" }>

/** That it became a draft, or is none any more, and what else changed of the title. */
const retitled = ({ before, changes, draftCommit }: Changed): ReadonlyArray<SystemNote> => {
  const [was, is] = [before?.title, changes.title]
  if (is === undefined || was === undefined) return []
  if (draftCommit !== undefined) return [said(markedDraftFrom(draftCommit))]
  const isMarked = isDraft(is) !== isDraft(was)
  return [
    ...(isMarked ? [said(isDraft(is) ? systemNotes.markedDraft : systemNotes.markedReady)] : []),
    ...(unmarkDraft(is) === unmarkDraft(was) ? [] : [said(changedTitle(was, is))])
  ]
}

const retargeted = ({ before, changes, goneBranch }: Changed): ReadonlyArray<SystemNote> => {
  const [was, is] = [before?.targetBranch, changes.targetBranch]
  if (is === undefined || was === undefined) return []
  return [said(goneBranch === undefined ? changedTargetBranch(was, is) : deletedTargetBranch(goneBranch, is))]
}

/** What was before is told since the first release that had notes. */
const changed = (event: Changed): ReadonlyArray<SystemNote> => {
  const { before = {}, changes } = event
  return [
    ...retitled(event),
    ...(changes.description === undefined ? [] : [said(systemNotes.changedDescription)]),
    ...retargeted(event),
    ...peopleChange("assignee", changes.assigneeIds, before.assigneeIds),
    ...peopleChange("reviewer", changes.reviewerIds, before.reviewerIds),
    ...(typeof changes.isDiscussionLocked === "boolean"
      ? [said(changes.isDiscussionLocked ? systemNotes.locked : systemNotes.unlocked)]
      : [])
  ]
}

const idsOf = (id: number | null): ReadonlyArray<number> => (id === null ? [] : [id])

/** The notes that follow from an event of a merge request, in their order. */
export const systemNotesOf = (event: MergeRequestEvent): ReadonlyArray<SystemNote> => {
  const { guards } = MergeRequestEvent
  if (guards.MergeRequestChanged(event)) return changed(event)
  if (guards.MergeRequestOpened(event))
    return [...peopleChange("assignee", event.assigneeIds), ...peopleChange("reviewer", event.reviewerIds)]
  if (guards.MergeRequestLabelsChanged(event))
    return namedChange({ kind: "label", added: event.addedIds, removed: event.removedIds })
  if (guards.MergeRequestMilestoneChanged(event))
    return namedChange({ kind: "milestone", added: idsOf(event.to), removed: idsOf(event.from) })
  if (guards.MergeRequestClosed(event))
    return [...(event.goneBranch === undefined ? [] : [said(deletedSourceBranch(event.goneBranch))]), said(systemNotes.closed)]
  if (guards.MergeRequestReopened(event)) return [said(systemNotes.reopened)]
  if (guards.MergeRequestMerged(event)) return [said(systemNotes.merged)]
  if (guards.MergeRequestApproved(event)) return [said(systemNotes.approved)]
  if (guards.MergeRequestUnapproved(event)) return [said(systemNotes.unapproved)]
  if (guards.VersionAdded(event))
    return event.pushed === undefined ? [] : [said(addedCommits(event.pushed.count, event.pushed.first))]
  if (guards.AutoMergeSet(event)) return [said(enabledAutoMerge(event.headSha))]
  if (guards.AutoMergeCanceled(event)) return [said(systemNotes.canceledAutoMerge)]
  if (guards.AutoMergeAborted(event)) return [said(abortedAutoMerge(event.reason, event.mergedIid))]
  if (guards.TimeEstimated(event)) return [said(changedTimeEstimate(event.seconds))]
  if (guards.TimeSpent(event)) return [said(spentTime(event.seconds))]
  if (guards.SpentTimeReset(event)) return [said(systemNotes.removedTimeSpent)]
  return []
}
