import { describe, expect, it } from "vitest"
import { mergeRequestOptionsOf } from "#src/mergeRequests/pushOptions/options.ts"

const none = {
  creates: false,
  isDraft: false,
  removesSourceBranch: false,
  squash: false,
  target: undefined,
  targetProject: undefined,
  title: undefined,
  description: undefined,
  milestone: undefined,
  labels: [],
  unlabels: [],
  assigned: [],
  unassigned: [],
  unknown: []
}

describe("the options of a push that are about merge requests", () => {
  it("are none where they are about other things", () => {
    expect(mergeRequestOptionsOf([])).toBeUndefined()
    expect(mergeRequestOptionsOf(["ci.skip", "ci.variable=A=b", "merge_requests.create", "merge_request"])).toBeUndefined()
  })

  it.each<[ReadonlyArray<string>, object]>([
    [["merge_request.create"], { creates: true }],
    [["mr.create", "ci.skip"], { creates: true }],
    [["mr.create=false"], {}],
    [["mr.draft", "mr.squash", "mr.remove_source_branch"], { isDraft: true, squash: true, removesSourceBranch: true }],
    [["mr.target=a", "mr.target=b", "mr.target_project=x/y"], { target: "b", targetProject: "x/y" }],
    [["mr.title=A = b", "mr.description=one\\ntwo"], { title: "A = b", description: "one\ntwo" }],
    [
      ["mr.label=a", "mr.label=b c", "mr.unlabel=d", "mr.milestone=1.0"],
      { labels: ["a", "b c"], unlabels: ["d"], milestone: "1.0" }
    ],
    [["mr.assign=ada", "mr.unassign=7"], { assigned: ["ada"], unassigned: ["7"] }],
    [["mr.title=", "mr.auto_merge"], { unknown: ["mr.auto_merge"] }]
  ])("%j", (options, expected) => {
    expect(mergeRequestOptionsOf(options)).toEqual({ ...none, ...expected })
  })
})
