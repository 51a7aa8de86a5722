import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { Command, SetAutoMerge } from "#src/mergeRequests/decisions/commands.ts"
import type { LabelingWithIds, LabelsChange } from "#src/mergeRequests/decisions/labeling.ts"
import type { State } from "#src/mergeRequests/decisions/state.ts"
import { type Attributes, MergeRequestEvent, mergeRequestCodec, StateName, Verdict } from "#src/mergeRequests/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import {
  open,
  plan,
  rebasePlan,
  requestRebase,
  attributes as sample,
  version as sampleVersion,
  setAutoMerge,
  shaOf,
  source
} from "./samples.ts"

const id = fc.integer({ min: 1, max: 4 })
const sha = fc.constantFrom("a", "b", "c").map(shaOf)
const ids = fc.uniqueArray(id, { maxLength: 3 })

const attributes: fc.Arbitrary<Attributes> = fc.record({
  title: fc.constantFrom("Add a topic", "Draft: x", "", "x".repeat(300)),
  description: fc.option(fc.string({ maxLength: 5 })),
  targetBranch: fc.constantFrom("main", "stable", "a..b"),
  assigneeIds: ids,
  reviewerIds: ids,
  squash: fc.boolean(),
  removesSourceBranch: fc.boolean(),
  allowsCollaboration: fc.boolean(),
  isDiscussionLocked: fc.option(fc.boolean())
})
const changes = fc
  .tuple(attributes, fc.boolean())
  .map(([{ isDiscussionLocked, targetBranch, title }, isAll]) =>
    isAll ? { title, targetBranch, isDiscussionLocked } : { title: sample.title, isDiscussionLocked }
  )
const labels: fc.Arbitrary<LabelsChange> = fc.record({ instead: ids, added: ids, removed: ids }, { requiredKeys: [] })
const labeling: fc.Arbitrary<LabelingWithIds> = fc.record(
  { labelEventId: id, milestoneEventId: id, labels, milestoneId: fc.option(id) },
  { requiredKeys: ["labelEventId", "milestoneEventId"] }
)
const version = fc.record({ headSha: sha, baseSha: sha }).map((some) => ({ ...sampleVersion, ...some }))
const plans = fc.record({ headSha: sha, targetTo: sha }).map((some) => ({ ...plan, ...some }))
const issues = fc.array(fc.record({ projectId: id, iid: id }), { maxLength: 3 })
const seconds = fc.integer({ min: -100, max: 100 })
const verdict = fc.constantFrom(...Verdict.literals)
const checked = fc.record({ headSha: fc.option(sha), targetSha: fc.option(sha), verdict, isFastForward: fc.boolean() })

const rule = fc.record({ id, name: fc.constantFrom("a", "b"), userIds: ids, approvalsRequired: fc.nat({ max: 3 }) })
const autoMerges: fc.Arbitrary<SetAutoMerge> = fc
  .record({ by: id, headSha: sha, squash: fc.boolean(), squashMessage: fc.option(fc.string()) })
  .map((some) => ({ ...setAutoMerge, ...some }))
const reasons = fc.constantFrom("conflict", "draft_status", "ci_still_running")

const { cases } = MergeRequestEvent
const event: fc.Arbitrary<MergeRequestEvent> = fc.oneof(
  attributes.map((some) => cases.MergeRequestOpened.make({ id: 84, authorId: 7, source, sourceSha: shaOf("a"), ...some })),
  fc.tuple(changes, changes).map(([some, before]) => cases.MergeRequestChanged.make({ changes: some, before })),
  fc.record({ id, by: id, addedIds: ids, removedIds: ids }).map((data) => cases.MergeRequestLabelsChanged.make(data)),
  fc
    .record({ id, by: id, from: fc.option(id), to: fc.option(id), state: fc.constantFrom(...StateName.literals) })
    .map((data) => cases.MergeRequestMilestoneChanged.make(data)),
  fc.record({ by: id }).map((data) => cases.MergeRequestClosed.make(data)),
  fc.record({ by: id }).map((data) => cases.MergeRequestReopened.make(data)),
  fc.constant(cases.MergeRequestDeleted.make({})),
  fc.tuple(id, version).map(([number, some]) => cases.VersionAdded.make({ id: number, ...some })),
  fc.constant(cases.MergeRequestPrepared.make({})),
  fc.constant(cases.MergeabilityOutdated.make({})),
  fc.record({ error: fc.string() }).map((data) => cases.MergeabilityCheckFailed.make(data)),
  checked.map((data) => cases.MergeabilityChecked.make(data)),
  plans.map((data) => cases.MergePlanned.make(data)),
  fc
    .record(
      { by: id, mergeSha: fc.option(sha), squashSha: fc.option(sha), removesSourceBranch: fc.boolean() },
      { requiredKeys: ["by", "mergeSha", "squashSha"] }
    )
    .map((data) => cases.MergeRequestMerged.make(data)),
  fc.record({ error: fc.string() }).map((data) => cases.MergeFailed.make(data)),
  issues.map((some) => cases.IssuesToCloseFound.make({ issues: some })),
  autoMerges.map(({ _tag, ...set }) => cases.AutoMergeSet.make(set)),
  id.map((by) => cases.AutoMergeCanceled.make({ by })),
  fc
    .record({ reason: fc.constantFrom("closed", "target_branch_merged"), by: id, mergedIid: id }, { requiredKeys: ["reason"] })
    .map((data) => cases.AutoMergeAborted.make(data)),
  fc.constant(cases.AutoMergeDue.make({})),
  reasons.map((reason) => cases.AutoMergeHeld.make({ reason })),
  fc.record({ seconds: fc.nat() }).map((data) => cases.TimeEstimated.make(data)),
  fc.record({ by: id, seconds, total: fc.nat(), summary: fc.option(fc.string()) }).map((data) => cases.TimeSpent.make(data)),
  fc.record({ by: id }).map((data) => cases.SpentTimeReset.make(data)),
  fc.record({ by: id, at: fc.nat(), skipsPipelines: fc.boolean() }).map((data) => cases.RebaseRequested.make(data)),
  fc.record({ from: sha, to: sha, onto: sha }).map((data) => cases.RebasePlanned.make(data)),
  fc.constant(cases.MergeRequestRebased.make({})),
  fc.record({ error: fc.string() }).map((data) => cases.RebaseFailed.make(data)),
  fc.record({ by: id, left: fc.nat() }).map((data) => cases.MergeRequestApproved.make(data)),
  fc.record({ by: id, left: fc.nat() }).map((data) => cases.MergeRequestUnapproved.make(data)),
  fc.record({ left: fc.nat() }).map((data) => cases.ApprovalsReset.make(data)),
  fc.tuple(rule, fc.nat()).map(([some, left]) => cases.ApprovalRuleAdded.make({ ...some, left })),
  fc.record({ id, left: fc.nat() }).map((data) => cases.ApprovalRuleRemoved.make(data))
)

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(attributes, labeling).map(([some, more]): Command => ({ ...open, attributes: some, labeling: more })),
  fc
    .record({ by: id, changes, labeling, transition: fc.constantFrom("close", "reopen") }, { requiredKeys: ["by", "changes"] })
    .map((data): Command => ({ _tag: "Update", ...data })),
  fc
    .tuple(id, version)
    .map(([number, some]): Command => ({ _tag: "AddVersion", id: number, previous: sampleVersion, version: some })),
  fc.constantFrom<Command>({ _tag: "FinishPreparation" }, { _tag: "OutdateMergeability" }, { _tag: "Delete" }),
  checked.map((data): Command => ({ _tag: "Check", targetBranch: "main", ...data })),
  plans.map((some): Command => ({ _tag: "PlanMerge", plan: some })),
  fc
    .record({ by: id, mergeSha: fc.option(sha), squashSha: fc.option(sha) })
    .map((data): Command => ({ _tag: "NoteMerge", ...data })),
  sha.map((targetTo): Command => ({ _tag: "GiveUpMerge", targetTo, error: "An error occurred while merging" })),
  fc.constantFrom<Command>({ _tag: "FailMerge", error: "squash" }, { _tag: "FailCheck", error: "time" }),
  autoMerges,
  id.map((by): Command => ({ _tag: "CancelAutoMerge", by })),
  fc.constantFrom<Command>(
    { _tag: "WakeAutoMerge" },
    { _tag: "AbortAutoMerge", of: { headSha: shaOf("a") }, reason: "target_branch_updated" },
    { _tag: "AbortAutoMerge", of: { targetBranch: "main" }, reason: "target_branch_merged", by: 8, mergedIid: 3 },
    { _tag: "AbortAutoMerge", of: { setBy: 9 }, reason: "user_deleted" }
  ),
  fc.tuple(autoMerges, reasons, fc.nat({ max: 2 })).map(([{ _tag, squash, ...set }, reason, turn]): Command => {
    return { _tag: "HoldAutoMerge", of: { ...set, heldFor: undefined, turn }, reason }
  }),
  fc.nat({ max: 100 }).map((some): Command => ({ _tag: "EstimateTime", seconds: some })),
  seconds.map((some): Command => ({ _tag: "SpendTime", by: 8, seconds: some, summary: null })),
  id.map((by): Command => ({ _tag: "ResetSpentTime", by })),
  fc.constant<Command>(requestRebase),
  id.map((number): Command => ({ _tag: "PlanRebase", number, targetBranch: "main", plan: rebasePlan })),
  fc
    .record({ number: id, error: fc.string() }, { requiredKeys: ["number"] })
    .map((data): Command => ({ _tag: "EndRebase", ...data })),
  issues.map(
    (some): Command => ({
      _tag: "NoteIssuesToClose",
      title: sample.title,
      description: sample.description,
      headSha: sampleVersion.headSha,
      issues: some
    })
  ),
  id.map((by): Command => ({ _tag: "Approve", by })),
  id.map((by): Command => ({ _tag: "Unapprove", by })),
  fc.constant<Command>({ _tag: "ResetApprovals" }),
  rule.map((some): Command => ({ _tag: "AddApprovalRule", rule: some })),
  id.map((number): Command => ({ _tag: "RemoveApprovalRule", id: number }))
)

const fold = foldOf(mergeRequestAggregate)
const step = stepOf(mergeRequestAggregate)
const histories = fc.array(command, { maxLength: 12 })
const behind = (commands: ReadonlyArray<Command>): State => commands.reduce(step, step(mergeRequestAggregate.initial, open))

itFoldsInParts(fold, event)
itIsStored(mergeRequestCodec, event)

/** The few things that may become of the state, told apart from the code under test. */
const moves: Readonly<Record<State["_tag"], ReadonlyArray<State["_tag"]>>> = {
  Absent: ["Absent", "Opened"],
  Opened: ["Opened", "Locked", "Closed", "Merged", "Deleted"],
  Locked: ["Locked", "Opened", "Merged", "Deleted"],
  Closed: ["Closed", "Opened", "Deleted"],
  Merged: ["Merged", "Deleted"],
  Deleted: ["Deleted"]
}

describe("whatever is commanded", () => {
  it("a state leads only where the machine of the interface leads", () => {
    fc.assert(
      fc.property(histories, command, (before, next) => {
        const state = behind(before)
        expect(moves[state._tag]).toContain(step(state, next)._tag)
      })
    )
  })

  it("the time that was spent is the sum of what was told since it was taken back", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        let [state, sum] = [behind([]), 0]
        for (const next of commands) {
          const decided = mergeRequestAggregate.decide(next, state)
          if (Result.isFailure(decided)) continue
          for (const { _tag, ...data } of decided.success) {
            if (_tag === "TimeSpent" && "seconds" in data) sum += data.seconds
            if (_tag === "SpentTimeReset") sum = 0
          }
          state = fold(decided.success, state)
        }
        if ("request" in state) expect([state.request.timeSpent, sum >= 0]).toEqual([sum, true])
      })
    )
  })

  it("the approvals that are missing are those told last, counted one by one", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        let [state, told] = [behind([]), 0]
        for (const next of commands) {
          const decided = mergeRequestAggregate.decide(next, state)
          if (Result.isFailure(decided)) continue
          for (const added of decided.success) if ("left" in added) told = added.left
          state = fold(decided.success, state)
        }
        if (!("request" in state)) return
        const { approvedBy, rules } = state.request.approvals
        let missing = 0
        for (const { approvalsRequired, userIds } of rules)
          for (let rest = approvalsRequired - userIds.filter((user) => approvedBy.includes(user)).length; rest > 0; rest--)
            missing += 1
        expect([new Set(approvedBy).size, told]).toEqual([approvedBy.length, missing])
      })
    )
  })

  it("what can be merged was checked with the commits that it has", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const state = behind(commands)
        if (!("request" in state) || state.request.mergeability._tag !== "Checked") return
        const { headSha, verdict } = state.request.mergeability
        if (verdict !== "branch_missing") expect(headSha).toBe(state.request.version?.headSha)
      })
    )
  })

  it("no rebase is under way but of what is open, and none while it is merged", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const state = behind(commands)
        if ("request" in state && state.request.rebase !== undefined) expect(state._tag).toBe("Opened")
      })
    )
  })

  it("its labels and its milestone are what was told of them", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        let [state, labelIds, milestoneId] = [behind([]), new Set<number>(), null as number | null]
        for (const next of commands) {
          const decided = mergeRequestAggregate.decide(next, state)
          if (Result.isFailure(decided)) continue
          for (const told of decided.success) {
            if (told._tag === "MergeRequestLabelsChanged") {
              expect([...told.addedIds, ...told.removedIds]).not.toHaveLength(0)
              for (const added of told.addedIds) expect([labelIds.has(added), labelIds.add(added)]).toEqual([false, labelIds])
              for (const removed of told.removedIds) expect(labelIds.delete(removed)).toBe(true)
            }
            if (told._tag === "MergeRequestMilestoneChanged") {
              expect([told.from, told.from === told.to]).toEqual([milestoneId, false])
              milestoneId = told.to
            }
          }
          state = fold(decided.success, state)
        }
        if ("request" in state)
          expect([new Set(state.request.labelIds), state.request.milestoneId]).toEqual([labelIds, milestoneId])
      })
    )
  })

  it("updates and checks that are repeated change nothing", () => {
    fc.assert(
      fc.property(histories, command, (before, next) => {
        if (
          ![
            "Update",
            "AddVersion",
            "FinishPreparation",
            "Check",
            "OutdateMergeability",
            "EstimateTime",
            "PlanRebase",
            "EndRebase",
            "NoteIssuesToClose"
          ].includes(next._tag)
        )
          return
        const after = step(behind(before), next)
        const again = mergeRequestAggregate.decide(next, after)
        if (Result.isSuccess(again)) expect(again.success).toEqual([])
      })
    )
  })
})
