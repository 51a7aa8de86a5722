import { expect, it } from "vitest"
import { presentRelease, type View } from "#src/releases/present.ts"
import type { ReleaseRow } from "#src/releases/Queries.ts"
import { expectExactly, field } from "#test/support/exactly.ts"

const row: ReleaseRow = {
  id: 7,
  project_id: 4,
  tag: "v1",
  name: null,
  description: null,
  sha: "a".repeat(40),
  created_at: 1_000,
  released_at: 2_000,
  author: null,
  links: [],
  milestone_ids: [],
  evidences: []
}
const view: View = {
  externalUrl: "https://forge.example.com",
  projectPath: "group/below/tool",
  now: 1_999,
  hasCode: true,
  hasMilestones: true,
  mayChange: false
}

it("a release whose commit is unknown says so, and has no path of it", () => {
  const shown = presentRelease(row, { commit: undefined, milestones: [] }, view)
  const keys = ["name", "tag_name", "description", "created_at", "released_at", "upcoming_release"]
  expect(Object.keys(shown)).toEqual([...keys, "commit", "tag_path", "assets", "evidences", "_links"])
  expectExactly([field(shown, "commit"), field(shown, "tag_path")], [null, "/group/below/tool/-/tags/v1"])
})

it.each([
  [1_000, true],
  [1_999, true],
  [2_000, false],
  [2_001, false]
])("whether a release of second 2 is upcoming at %d is told in whole seconds", (now, upcoming) => {
  expect(presentRelease(row, { commit: undefined, milestones: [] }, { ...view, now }).upcoming_release).toBe(upcoming)
  const later = { ...row, released_at: 2_999 }
  expect(presentRelease(later, { commit: undefined, milestones: [] }, { ...view, now }).upcoming_release).toBe(upcoming)
})
