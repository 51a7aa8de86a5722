import { describe, expect, it } from "vitest"
import { judge, type PushPolicy, pushRefusals } from "#src/pushes/pushPolicy.ts"

const [one, two] = ["1".repeat(40), "2".repeat(40)]

const policy: PushPolicy = {
  mayPush: true,
  collaborations: [],
  isMaintainer: false,
  defaultBranch: "main",
  noNewBranch: undefined,
  mayChangeTags: false,
  branches: [
    { pattern: "main", mayPush: false, mayMerge: true, mayForce: false, mayDelete: false },
    { pattern: "open/*", mayPush: true, mayMerge: true, mayForce: true, mayDelete: false },
    { pattern: "*/both", mayPush: false, mayMerge: false, mayForce: false, mayDelete: true },
    { pattern: "ff", mayPush: true, mayMerge: true, mayForce: false, mayDelete: false },
    { pattern: "*-many", mayPush: false, mayMerge: false, mayForce: false, mayDelete: false },
    { pattern: "push-*", mayPush: true, mayMerge: false, mayForce: false, mayDelete: false },
    { pattern: "*force-*", mayPush: false, mayMerge: false, mayForce: true, mayDelete: false }
  ],
  tags: [{ pattern: "v*", mayCreate: true, mayDelete: false }]
}

describe("judge", () => {
  it.each([
    ["refs/heads/main", one, two, pushRefusals.protectedBranch],
    ["refs/heads/main", null, two, pushRefusals.createProtectedBranchByGit],
    ["refs/heads/main", one, null, pushRefusals.deleteDefaultBranch],
    ["refs/heads/open/a", one, two, "Allowed"],
    ["refs/heads/open/a", one, null, pushRefusals.deleteProtectedBranch],
    ["refs/heads/open/both", one, null, "Allowed"],
    ["refs/heads/open/both", one, two, "Allowed"],
    ["refs/heads/x/both", null, two, pushRefusals.createProtectedBranch],
    ["refs/heads/ff", one, two, "AllowedForward"],
    ["refs/heads/ff", null, two, "Allowed"],
    // Of several rules the one that allows most holds, for each right by itself.
    ["refs/heads/one-many", one, two, pushRefusals.protectedBranch],
    ["refs/heads/push-many", one, two, "AllowedForward"],
    ["refs/heads/push-many", null, two, "Allowed"],
    ["refs/heads/push-force-many", one, two, "Allowed"],
    ["refs/heads/force-many", one, two, pushRefusals.protectedBranch],
    ["refs/heads/push-many", one, null, pushRefusals.deleteProtectedBranch],
    ["refs/heads/free", one, two, "Allowed"],
    ["refs/heads/free", one, null, "Allowed"],
    ["refs/heads/HEAD", null, two, pushRefusals.branchName],
    ["refs/heads/HEAD", one, null, "Allowed"],
    [`refs/heads/${one}`, null, two, pushRefusals.branchNamedAsCommit],
    ["refs/tags/v1", null, one, "Allowed"],
    ["refs/tags/v1", one, two, pushRefusals.updateProtectedTag],
    ["refs/tags/v1", one, null, pushRefusals.deleteProtectedTag],
    ["refs/tags/free", null, one, "Allowed"],
    ["refs/tags/free", one, two, pushRefusals.changeTags],
    ["refs/tags/free", one, null, pushRefusals.changeTags],
    ["refs/heads/caf\u{fffd}", null, one, pushRefusals.branchName],
    ["refs/merge-requests/1/head", null, one, pushRefusals.hidden],
    ["refs/Keep-Around/1", null, one, pushRefusals.hidden],
    ["refs/internal/keep", one, null, pushRefusals.hidden],
    ["refs/notes/commits", null, one, "Allowed"],
    ["refs/notes/commits", one, two, "Allowed"],
    ["refs/notes/commits", one, null, "Allowed"],
    ["refs/notes/caf\u{fffd}", null, one, pushRefusals.branchName],
    ["refs/TAGS/v1", null, one, pushRefusals.refName],
    ["HEAD", one, two, pushRefusals.hidden]
  ])("%s from %s to %s: %s", (ref, before, after, expected) => {
    const verdict = judge(policy, { ref, before, after })
    expect(verdict._tag === "Refused" ? verdict.text : verdict._tag).toBe(expected)
  })

  it.each([
    ["main", pushRefusals.forceProtectedBranch],
    ["force-many", undefined]
  ])("refuses a push to %s that would be forced with: %s", (branch, otherwise) => {
    const verdict = judge(policy, { ref: `refs/heads/${branch}`, before: one, after: two })
    expect(verdict).toEqual({ _tag: "Refused", text: pushRefusals.protectedBranch, ...(otherwise && { otherwise }) })
  })

  it.each([
    ["refs/heads/free", null, two, "not yet"],
    ["refs/heads/push-many", null, two, "not yet"],
    ["refs/heads/HEAD", null, two, pushRefusals.branchName],
    ["refs/heads/free", one, two, "Allowed"],
    ["refs/tags/free", null, two, "Allowed"]
  ])("where the first branch is not theirs to make: %s from %s to %s: %s", (ref, before, after, expected) => {
    const verdict = judge({ ...policy, noNewBranch: "not yet" }, { ref, before, after })
    expect(verdict._tag === "Refused" ? verdict.text : verdict._tag).toBe(expected)
  })

  it("refuses everything to who may not push", () => {
    const verdict = judge({ ...policy, mayPush: false }, { ref: "refs/heads/free", before: null, after: one })
    expect(verdict).toEqual({ _tag: "Refused", text: pushRefusals.push })
  })
})

describe("somebody who may move some branches alone", () => {
  const collaborator: PushPolicy = { ...policy, mayPush: false, collaborations: ["fix", "main"] }
  it.each([
    ["refs/heads/fix", one, two, "Allowed"],
    ["refs/heads/main", one, two, pushRefusals.protectedBranch],
    ["refs/heads/fix", null, two, pushRefusals.push],
    ["refs/heads/fix", one, null, pushRefusals.push],
    ["refs/heads/other", one, two, pushRefusals.push],
    ["refs/tags/fix", one, two, pushRefusals.push],
    ["refs/notes/fix", one, two, pushRefusals.push]
  ])("pushes %s from %s to %s: %s", (ref, before, after, expected) => {
    const verdict = judge(collaborator, { ref, before, after })
    expect(verdict._tag === "Refused" ? verdict.text : verdict._tag).toBe(expected)
  })
})
