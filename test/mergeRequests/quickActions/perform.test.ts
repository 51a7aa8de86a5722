import { expect, it } from "vitest"
import type { QuickAction } from "#src/mergeRequests/quickActions/commands.ts"
import { type Before, ordersOf, type ResolvedNames } from "#src/mergeRequests/quickActions/perform.ts"

const before: Before = { title: "Draft: A", assigneeIds: [1, 2], reviewerIds: [3], addedLabels: [], removedLabels: [] }
const resolved: ResolvedNames = {
  by: 9,
  username: "zoe",
  people: new Map([
    ["me", 9],
    ["mira", 1],
    ["jon", 4]
  ]),
  milestones: new Map([["1.0", 5]]),
  labels: new Map([
    ["bug", 6],
    ["x", 7]
  ]),
  branches: new Set(["main"])
}
const does = (...actions: ReadonlyArray<QuickAction>) => ordersOf(actions, before, resolved)

it.each<readonly [action: QuickAction, parameters: object, sentence: string]>([
  [{ _tag: "SetTitle", title: "B" }, { title: "B" }, 'Changed the title to "B".'],
  [{ _tag: "MarkDraft" }, { title: "Draft: A" }, "Marked this merge request as a draft."],
  [{ _tag: "MarkReady" }, { title: "A" }, "Marked this merge request as ready."],
  [{ _tag: "SetTargetBranch", branch: "main" }, { target_branch: "main" }, "Set target branch to main."],
  [{ _tag: "Assign", usernames: ["jon", "nobody"] }, { assignee_ids: [1, 2, 4] }, "Assigned @jon."],
  [{ _tag: "Assign", usernames: ["me"] }, { assignee_ids: [1, 2, 9] }, "Assigned @zoe."],
  [{ _tag: "Reassign", usernames: ["jon"] }, { assignee_ids: [4] }, "Assigned nobody but @jon."],
  [{ _tag: "Unassign", usernames: ["mira"] }, { assignee_ids: [2] }, "Removed assignees @mira."],
  [{ _tag: "Unassign", usernames: [] }, { assignee_ids: [] }, "Removed assignees all."],
  [{ _tag: "RequestReview", usernames: ["mira"] }, { reviewer_ids: [3, 1] }, "Requested a review from @mira."],
  [{ _tag: "SetReviewers", usernames: ["mira"] }, { reviewer_ids: [1] }, "Requested a review from nobody but @mira."],
  [{ _tag: "RemoveReviewers", usernames: [] }, { reviewer_ids: [] }, "Removed reviewers all."],
  [{ _tag: "AddLabels", names: ["bug", "y"] }, { add_labels: ["bug"], remove_labels: [] }, "Added labels ~bug."],
  [{ _tag: "RemoveLabels", names: ["x"] }, { add_labels: [], remove_labels: ["x"] }, "Removed labels ~x."],
  [{ _tag: "RemoveLabels", names: [] }, { labels: [], add_labels: [], remove_labels: [] }, "Removed labels all."],
  [{ _tag: "SetLabels", names: ["x"] }, { labels: ["x"], add_labels: [], remove_labels: [] }, "Replaced all labels with ~x."],
  [{ _tag: "SetMilestone", title: "1.0" }, { milestone_id: 5 }, "Set the milestone to %1.0."],
  [{ _tag: "RemoveMilestone" }, { milestone_id: 0 }, "Removed the milestone."],
  [{ _tag: "Close" }, { state_event: "close" }, "Closed this merge request."],
  [{ _tag: "Reopen" }, { state_event: "reopen" }, "Reopened this merge request."],
  [{ _tag: "Lock" }, { discussion_locked: true }, "Locked the discussion."],
  [{ _tag: "Unlock" }, { discussion_locked: false }, "Unlocked the discussion."]
])("%j orders %j", (action, parameters, sentence) => {
  expect(does(action)).toEqual({ parameters, time: [], summary: [sentence], further: [] })
})

it.each<readonly [action: QuickAction, time: object, sentence: string]>([
  [{ _tag: "SetEstimate", seconds: 10_800 }, { _tag: "EstimateTime", seconds: 10_800 }, "Set time estimate to 3h."],
  [{ _tag: "RemoveEstimate" }, { _tag: "EstimateTime", seconds: 0 }, "Removed time estimate."],
  [{ _tag: "SpendTime", seconds: 60 }, { _tag: "SpendTime", by: 9, seconds: 60, summary: null }, "Added 1m spent time."],
  [{ _tag: "SpendTime", seconds: -60 }, { _tag: "SpendTime", by: 9, seconds: -60, summary: null }, "Subtracted 1m spent time."],
  [{ _tag: "RemoveTimeSpent" }, { _tag: "ResetSpentTime", by: 9 }, "Removed spent time."]
])("%j does %j with the time", (action, time, sentence) => {
  expect(does(action)).toEqual({ parameters: {}, time: [time], summary: [sentence], further: [] })
})

it.each<QuickAction>([
  { _tag: "Assign", usernames: ["nobody"] },
  { _tag: "Unassign", usernames: ["nobody"] },
  { _tag: "RequestReview", usernames: ["nobody"] },
  { _tag: "AddLabels", names: ["y"] },
  { _tag: "SetMilestone", title: "2.0" },
  { _tag: "SetTargetBranch", branch: "gone" }
])("%j does nothing, as it names nothing that is there", (action) => {
  expect(does(action)).toEqual({ parameters: {}, time: [], summary: [], further: [] })
})

it("tells what is to be done beside", () => {
  expect(does({ _tag: "AddTodo" }, { _tag: "Close" }, { _tag: "Merge" })).toEqual({
    parameters: { state_event: "close" },
    time: [],
    summary: ["Closed this merge request."],
    further: [
      { action: "AddTodo", sentence: "Added a to-do item." },
      { action: "Merge", sentence: "Merged this merge request." }
    ]
  })
})

it("lets each action go on from what those before it have left", () => {
  expect(
    does(
      { _tag: "SetTitle", title: "B" },
      { _tag: "MarkDraft" },
      { _tag: "Unassign", usernames: [] },
      { _tag: "Assign", usernames: ["jon"] },
      { _tag: "AddLabels", names: ["bug", "x"] },
      { _tag: "RemoveLabels", names: ["x"] },
      { _tag: "Close" },
      { _tag: "Reopen" }
    ).parameters
  ).toEqual({
    title: "Draft: B",
    assignee_ids: [4],
    add_labels: ["bug"],
    remove_labels: ["x"],
    state_event: "reopen"
  })
})
