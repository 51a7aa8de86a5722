import fc from "fast-check"
import { expect, it } from "vitest"
import { isNoteOnly, parseAction, parseNoteAction, type QuickAction } from "#src/mergeRequests/quickActions/commands.ts"

it.each<readonly [line: string, action: QuickAction]>([
  ["/label ~bug", { _tag: "AddLabels", names: ["bug"] }],
  ['/label ~bug ~"two words", a::b and ~c ~bug', { _tag: "AddLabels", names: ["bug", "two words", "a::b", "c"] }],
  ["/labels ~a~b", { _tag: "AddLabels", names: ["a~b"] }],
  ["/unlabel ~bug", { _tag: "RemoveLabels", names: ["bug"] }],
  ["/unlabel", { _tag: "RemoveLabels", names: [] }],
  ["/relabel ~a", { _tag: "SetLabels", names: ["a"] }],
  ["/assign @mira, @jon and me", { _tag: "Assign", usernames: ["mira", "jon", "me"] }],
  ["/assign mira", { _tag: "Assign", usernames: ["mira"] }],
  ["/unassign", { _tag: "Unassign", usernames: [] }],
  ["/unassign @mira", { _tag: "Unassign", usernames: ["mira"] }],
  ["/reassign @mira", { _tag: "Reassign", usernames: ["mira"] }],
  ["/reviewer @mira", { _tag: "RequestReview", usernames: ["mira"] }],
  ["/assign_reviewer @mira", { _tag: "RequestReview", usernames: ["mira"] }],
  ["/request_review @mira", { _tag: "RequestReview", usernames: ["mira"] }],
  ["/unassign_reviewer", { _tag: "RemoveReviewers", usernames: [] }],
  ["/remove_reviewer @mira", { _tag: "RemoveReviewers", usernames: ["mira"] }],
  ["/reassign_reviewer @mira", { _tag: "SetReviewers", usernames: ["mira"] }],
  ["/milestone %1.0", { _tag: "SetMilestone", title: "1.0" }],
  ['/milestone %"two words"', { _tag: "SetMilestone", title: "two words" }],
  ["/remove_milestone", { _tag: "RemoveMilestone" }],
  ["/title  A new `title` ", { _tag: "SetTitle", title: "A new `title`" }],
  ["/target_branch main", { _tag: "SetTargetBranch", branch: "main" }],
  ["/draft", { _tag: "MarkDraft" }],
  ["/ready", { _tag: "MarkReady" }],
  ["/CLOSE", { _tag: "Close" }],
  ["/reopen", { _tag: "Reopen" }],
  ["/lock", { _tag: "Lock" }],
  ["/unlock", { _tag: "Unlock" }],
  ["/estimate 1w 2d", { _tag: "SetEstimate", seconds: 201_600 }],
  ["/estimate 0", { _tag: "SetEstimate", seconds: 0 }],
  ["/remove_estimate", { _tag: "RemoveEstimate" }],
  ["/spend 1h30m", { _tag: "SpendTime", seconds: 5_400 }],
  ["/spent -30m 2026-11-24", { _tag: "SpendTime", seconds: -1_800 }],
  ["/remove_time_spent", { _tag: "RemoveTimeSpent" }]
])("%j orders %j", (line, action) => {
  expect(parseAction(line)).toEqual([action])
})

it.each([
  "/label",
  "/label ~",
  "/relabel",
  "/assign",
  "/assign @",
  "/milestone",
  "/title",
  "/target_branch",
  "/estimate soon",
  "/estimate -1h",
  "/spend",
  "/spend 0",
  "/spend 1h 2026-13-01",
  "/spend 1h 2026-02-30"
])("%j orders nothing", (line) => {
  expect(parseAction(line)).toEqual([])
})

it.each(["", "/", "/unknown ~a", "/labelled ~a", "/label~a", "label ~a", " /label ~a", "/close enough", "/toString", "//close"])(
  "%j is no command",
  (line) => {
    expect(parseAction(line)).toBeUndefined()
  }
)

it.each(["todo", "done", "subscribe", "unsubscribe", "approve", "unapprove", "rebase", "merge"])(
  "/%s is a command of notes alone",
  (name) => {
    expect(parseAction(`/${name}`)).toBeUndefined()
    expect(parseNoteAction(`/${name}`)?.map(isNoteOnly)).toEqual([true])
    expect(parseNoteAction(`/${name} it`)).toBeUndefined()
    expect(parseNoteAction("/close")?.map(isNoteOnly)).toEqual([false])
  }
)

it("reads the names of labels that are in quotes as they are", () => {
  const name = fc.string({ minLength: 1 }).filter((name) => !/["\n\r~]/.test(name))
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1 }), (names) => {
      expect(parseAction(`/label ${names.map((name) => `~"${name}"`).join(" ")}`)).toEqual([{ _tag: "AddLabels", names }])
    })
  )
})
