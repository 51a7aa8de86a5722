import { expect, it } from "vitest"
import { isUnfinished, pipelineCheck, pipelineFactsOf } from "#src/mergeRequests/status/pipelineCheck.ts"

const settings = { only_allow_merge_if_pipeline_succeeds: false, allow_merge_on_skipped_pipeline: false }
const demanding = { ...settings, only_allow_merge_if_pipeline_succeeds: true }

it.each([
  ["nothing where nothing is asked for", settings, "failed", false, undefined],
  ["that a pipeline is missing", demanding, undefined, false, "ci_must_pass"],
  ["that one has failed", demanding, "failed", false, "ci_must_pass"],
  ["that one runs", demanding, "running", false, "ci_still_running"],
  ["that one runs, for what is to be merged of itself", settings, "running", true, "ci_still_running"],
  ["that one has failed, for what is to be merged of itself", settings, "failed", true, "ci_must_pass"],
  ["nothing for what is to be merged of itself without any", settings, undefined, true, undefined],
  ["that one was skipped", demanding, "skipped", false, "ci_must_pass"],
  ["nothing of a skipped one that counts", { ...demanding, allow_merge_on_skipped_pipeline: true }, "skipped", false, undefined]
] as const)("tells %s", (_, of, status, isAutoMerge, reason) => {
  expect(pipelineCheck(pipelineFactsOf(of, status, isAutoMerge))).toBe(reason)
})

it("waits for no pipeline, and for none that has ended", () => {
  const ended = [undefined, "success", "failed", "canceled", "skipped", "canceling"]
  expect(ended.filter(isUnfinished)).toEqual([])
  expect(["created", "pending", "running", "manual", "scheduled"].every(isUnfinished)).toBe(true)
})
