import { describe, expect, it } from "vitest"
import { compiled, type Given, job, namesIn, noJobs, planned } from "./samples.ts"

const ofBranch: Given = { ref: "feature/x" }
const ofTag: Given = { ref: "v1.2", isTag: true }

/** Whether a job that says this is in the pipeline. */
const isThere = async (policy: string, given: Given): Promise<boolean> => {
  const names = namesIn(await compiled(`other: {script: x, rules: [{when: always}]}\na: {script: x, ${policy}}`, given))
  if (!Array.isArray(names)) expect(names).toEqual([])
  return Array.isArray(names) && names.includes("a")
}

describe("only", () => {
  it.each<readonly [string, Given, boolean]>([
    ["[branches]", ofBranch, true],
    ["[branches]", ofTag, false],
    ["[tags]", ofTag, true],
    ["[tags]", ofBranch, false],
    ["[branches, tags]", ofTag, true],
    ["[feature/x]", ofBranch, true],
    ["[feature]", ofBranch, false],
    ["[v1.2]", ofTag, true],
    ["[/^feature/]", ofBranch, true],
    ["[/^FEATURE/i]", ofBranch, true],
    ["[/^FEATURE/]", ofBranch, false],
    ["[/x$/, other]", ofBranch, true],
    ["[pushes]", ofBranch, true],
    ["[push]", ofBranch, true],
    ["[web]", ofBranch, false],
    ["[web]", { source: "web" }, true],
    ["[api]", { source: "api" }, true],
    ["[triggers]", { source: "trigger" }, true],
    ["[schedules]", { source: "schedule" }, true],
    ["[schedules]", { source: "push" }, false],
    ["[pipelines]", { source: "pipeline" }, true],
    ["[merge_requests]", { source: "merge_request_event" }, true],
    ["[branches]", { source: "merge_request_event" }, false],
    ["[main]", { source: "merge_request_event" }, false],
    ["[/./]", { source: "merge_request_event" }, false],
    ["[external_pull_requests]", { source: "external_pull_request_event" }, true],
    ["[external]", { source: "external" }, true],
    ["[chat]", { source: "chat" }, true],
    ["[security_orchestration_policies]", { source: "security_orchestration_policy" }, true],
    ["[branches@tools/engine]", ofBranch, true],
    ["[branches@tools/other]", ofBranch, false],
    ["[/^feature/@tools/engine]", ofBranch, true],
    ["[]", ofBranch, false],
    ["{refs: [main]}", {}, true],
    ["{refs: [main]}", ofBranch, false],
    ["{variables: [$V]}", { variables: { V: "1" } }, true],
    ["{variables: [$V]}", {}, false],
    ['{variables: [$V, $CI_COMMIT_BRANCH == "main"]}', {}, true],
    ["{variables: [$OWN]}, variables: {OWN: 1}", {}, true],
    ["{refs: [tags], variables: [$CI_COMMIT_BRANCH]}", {}, false],
    ["{refs: [main], variables: [$V]}", { variables: { V: "1" } }, true],
    ["{refs: [main], variables: [$V]}", {}, false],
    ["{variables: [$CI_PIPELINE_SOURCE]}", { source: "web" }, true],
    ["{variables: [$CI_PIPELINE_SOURCE]}", { source: "merge_request_event" }, false],
    ["{changes: ['*.md']}", { changedPaths: ["a.md"] }, true],
    ["{changes: ['*.md']}", { changedPaths: ["a.ts"] }, false],
    ["{changes: ['*.md']}", {}, true],
    ["{refs: [tags], changes: ['*.md']}", { changedPaths: ["a.md"] }, false]
  ])("%s, given %j: %s", async (only, given, expected) => {
    expect(await isThere(`only: ${only}`, given)).toBe(expected)
  })
})

describe("except", () => {
  it.each<readonly [string, Given, boolean]>([
    ["[tags]", ofBranch, true],
    ["[tags]", ofTag, false],
    ["[main]", {}, false],
    ["[/^feature/]", ofBranch, false],
    ["[schedules]", { source: "schedule" }, false],
    ["[branches@tools/other]", ofBranch, true],
    ["{refs: [tags], variables: [$V]}", { variables: { V: "1" } }, false],
    ["{refs: [tags], variables: [$V]}", {}, true],
    ["{changes: [a]}", { changedPaths: ["a"] }, false],
    ["{changes: [a]}", { changedPaths: ["b"] }, true],
    ["{changes: [a]}", {}, false]
  ])("%s, given %j: %s", async (except, given, expected) => {
    expect(await isThere(`except: ${except}`, given)).toBe(expected)
  })

  it("counts beside only", async () => {
    const both = "only: [branches], except: [/x$/]"
    expect([await isThere(both, {}), await isThere(both, ofBranch), await isThere(both, ofTag)]).toEqual([true, false, false])
  })
})

it("rules and those of the workflow take the place of what only says by default", async () => {
  const given: Given = { source: "push", ref: "main" }
  expect(await compiled("a: {script: x, only: [schedules]}", given)).toEqual(noJobs)
  expect(await compiled("workflow: {rules: [{when: always}]}\na: {script: x}\nb: {script: x, only: [tags]}", given)).toEqual(
    planned([job("a")])
  )
})
