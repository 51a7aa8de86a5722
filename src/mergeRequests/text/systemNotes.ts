import { printDuration } from "../../kernel/humanDuration.ts"
import type { AbortReason } from "../events.ts"
import { changedParts } from "./changedParts.ts"
import { enumerated } from "./enumerated.ts"

/** What the service writes below a merge request when something happens to it. Texts of one word are of its states. */
export const systemNotes = {
  closed: "closed",
  reopened: "reopened",
  merged: "merged",
  approved: "approved this merge request",
  unapproved: "unapproved this merge request",
  resolvedAllThreads: "resolved all threads",
  canceledAutoMerge: "canceled the automatic merge",
  /** Gap: what is said of locking, of drafts marked by hand, of labels and of milestones is not shown. */
  locked: "locked the discussion in this merge request",
  unlocked: "unlocked the discussion in this merge request",
  markedDraft: "marked this merge request as **draft**",
  markedReady: "marked this merge request as **ready**",
  removedMilestone: "removed milestone",
  removedTimeEstimate: "removed time estimate",
  removedTimeSpent: "removed time spent",
  changedDescription: "changed the description"
} as const

const many = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`
const people = (usernames: ReadonlyArray<string>): string => enumerated(usernames.map((name) => `@${name}`))

export const changedTargetBranch = (from: string, to: string): string => `changed target branch from \`${from}\` to \`${to}\``

/** Told where the target branch went away because it was merged itself. */
export const deletedTargetBranch = (deleted: string, target: string): string =>
  `deleted the \`${deleted}\` branch. This merge request now targets the \`${target}\` branch`

export const deletedSourceBranch = (branch: string): string => `deleted source branch \`${branch}\``

export const enabledAutoMerge = (sha: string): string => `enabled an automatic merge when all merge checks for ${sha} pass`

/** Why a merge that was to happen by itself does not. */
const abortReasons: Readonly<Record<AbortReason, string>> = {
  source_branch_updated: "the source branch was updated",
  target_branch_changed: "target branch was changed",
  target_branch_updated: "target branch was updated",
  target_branch_merged: "target branch was merged",
  /** Gap: the reference does not say it. */
  user_deleted: "the user who enabled it was deleted",
  closed: "merge request was closed"
}

/** Of a target branch that was merged, the number of the merge request is told too. */
export const abortedAutoMerge = (reason: AbortReason, mergedIid?: number): string => {
  const where = mergedIid === undefined ? "" : ` in !${mergedIid}`
  return `aborted the automatic merge because ${abortReasons[reason]}${where}`
}

/** A draft because of a commit that was pushed. */
export const markedDraftFrom = (sha: string): string => `${systemNotes.markedDraft} from ${sha}`

export const changedTitle = (from: string, to: string): string => {
  const { added, removed } = changedParts(from, to)
  return `changed title from **${removed}** to **${added}**`
}

/** Who is assigned now and was not before, and the other way round; undefined where nobody changed. */
export const changedAssignees = (added: ReadonlyArray<string>, removed: ReadonlyArray<string>): string | undefined =>
  told([added.length > 0 && `assigned to ${people(added)}`, removed.length > 0 && `unassigned ${people(removed)}`])

export const changedReviewers = (added: ReadonlyArray<string>, removed: ReadonlyArray<string>): string | undefined =>
  told([
    added.length > 0 && `requested review from ${people(added)}`,
    removed.length > 0 && `removed review request for ${people(removed)}`
  ])

/** The most labels that a note names. */
const maxLabels = 100

const label = (title: string): string => (/^[\w.:-]+$/.test(title) ? `~${title}` : `~"${title}"`)
const labels = (titles: ReadonlyArray<string>): string => {
  const more = titles.length > maxLabels ? ` and ${titles.length - maxLabels} more` : ""
  return `${titles.slice(0, maxLabels).map(label).join(" ")}${more} ${titles.length === 1 ? "label" : "labels"}`
}

export const changedLabels = (added: ReadonlyArray<string>, removed: ReadonlyArray<string>): string | undefined =>
  told([added.length > 0 && `added ${labels(added)}`, removed.length > 0 && `removed ${labels(removed)}`])

const told = (parts: ReadonlyArray<string | false>): string | undefined => {
  const said = parts.filter((part) => part !== false)
  return said.length === 0 ? undefined : said.join(" and ")
}

/** The milestone that it has now, or that it has none any more. */
export const changedMilestone = ([added]: ReadonlyArray<string>): string =>
  added === undefined ? systemNotes.removedMilestone : `changed milestone to %"${added}"`

/** The time that is spent more, or less where it is negative. */
export const spentTime = (seconds: number): string =>
  `${seconds < 0 ? "subtracted" : "added"} ${printDuration(Math.abs(seconds)) ?? "0"} of time spent`

export const changedTimeEstimate = (seconds: number): string => {
  const printed = printDuration(seconds)
  return printed === null ? systemNotes.removedTimeEstimate : `changed time estimate to ${printed}`
}

/** Gap: the most commits that a note lists, the oldest first. */
const maxListed = 100
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] ?? character)

export interface AddedCommit {
  readonly sha: string
  readonly title: string
}

/** The commits that a push brought: how many, and some of them, the oldest first. */
export const addedCommits = (count: number, commits: ReadonlyArray<AddedCommit>): string => {
  const items = commits.slice(0, maxListed).map(({ sha, title }) => `<li>${sha.slice(0, 8)} - ${escaped(title)}</li>`)
  return `added ${many(count, "commit", "commits")}\n\n<ul>${items.join("")}</ul>`
}
