import { expect, it } from "vitest"
import {
  abortedAutoMerge,
  addedCommits,
  changedAssignees,
  changedLabels,
  changedMilestone,
  changedReviewers,
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

const sha = "5d1c6f2f6a0d1ff1f8b54a80bb3db3b1a5d0a6b4"

it.each<readonly [note: string | undefined, body: string | undefined]>([
  [systemNotes.approved, "approved this merge request"],
  [changedTargetBranch("a", "b"), "changed target branch from `a` to `b`"],
  [deletedTargetBranch("x", "main"), "deleted the `x` branch. This merge request now targets the `main` branch"],
  [deletedSourceBranch("x"), "deleted source branch `x`"],
  [enabledAutoMerge(sha), `enabled an automatic merge when all merge checks for ${sha} pass`],
  [abortedAutoMerge("closed"), "aborted the automatic merge because merge request was closed"],
  [abortedAutoMerge("source_branch_updated"), "aborted the automatic merge because the source branch was updated"],
  [abortedAutoMerge("target_branch_changed"), "aborted the automatic merge because target branch was changed"],
  [abortedAutoMerge("target_branch_updated"), "aborted the automatic merge because target branch was updated"],
  [abortedAutoMerge("target_branch_merged", 12), "aborted the automatic merge because target branch was merged in !12"],
  [abortedAutoMerge("user_deleted"), "aborted the automatic merge because the user who enabled it was deleted"],
  [markedDraftFrom(sha), `marked this merge request as **draft** from ${sha}`],
  [changedTitle("Add retry", "Add one retry"), "changed title from **Add retry** to **Add {+one +}retry**"],
  [changedTitle("Draft: x", "x"), "changed title from **{-Draft: -}x** to **x**"],
  [changedTitle("abc", "adc"), "changed title from **a{-b-}c** to **a{+d+}c**"],
  [changedAssignees(["mira"], []), "assigned to @mira"],
  [changedAssignees([], ["mira"]), "unassigned @mira"],
  [changedAssignees(["a", "b", "c"], ["d", "e"]), "assigned to @a, @b, and @c and unassigned @d and @e"],
  [changedAssignees([], []), undefined],
  [changedReviewers(["mira"], []), "requested review from @mira"],
  [changedReviewers([], ["mira"]), "removed review request for @mira"],
  [changedLabels(["bug", "two words"], []), 'added ~bug ~"two words" labels'],
  [changedLabels(["bug"], ["a::b"]), "added ~bug label and removed ~a::b label"],
  [changedLabels(Array(102).fill("x"), []), `added ${"~x ".repeat(100)}and 2 more labels`],
  [changedMilestone(["1.0"]), 'changed milestone to %"1.0"'],
  [changedMilestone([]), "removed milestone"],
  [spentTime(3_600), "added 1h of time spent"],
  [spentTime(-5_400), "subtracted 1h 30m of time spent"],
  [changedTimeEstimate(10_800), "changed time estimate to 3h"],
  [changedTimeEstimate(0), "removed time estimate"],
  [addedCommits(1, [{ sha, title: "Fix <b> & more" }]), "added 1 commit\n\n<ul><li>5d1c6f2f - Fix &lt;b&gt; &amp; more</li></ul>"]
])("%s", (note, body) => {
  expect(note).toBe(body)
})

it("counts all commits, and lists a hundred", () => {
  const note = addedCommits(
    150,
    Array.from({ length: 150 }, () => ({ sha, title: "x" }))
  )
  expect([note.startsWith("added 150 commits"), note.split("<li>").length - 1]).toEqual([true, 100])
})
