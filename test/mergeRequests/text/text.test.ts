import { expect, it } from "vitest"
import { isDraft } from "#src/mergeRequests/text/drafts.ts"
import { taskCompletion } from "#src/mergeRequests/text/taskCompletion.ts"

it.each([
  ["Draft: x", true],
  ["draft:x", true],
  ["[Draft] x", true],
  ["(DRAFT)x", true],
  ["Draft - x", false],
  ["Draft", false],
  [" Draft: x", false],
  ["WIP: x", false],
  ["Undraft: x", false]
])("whether %j is a draft: %s", (title, expected) => {
  expect(isDraft(title)).toBe(expected)
})

it.each([
  ["", 0, 0],
  ["- [ ] a\n- [x] b\n* [X] c\n1. [ ] d", 4, 2],
  ["  - [x] nested", 1, 1],
  ["- [~] given up", 0, 0],
  ["- [x]b\n-[x] c\n[x] d", 0, 0],
  ["```\n- [x] code\n```\n- [ ] text", 1, 0],
  ["~~~~\n- [x] a\n~~~\n- [x] b\n~~~~\n- [x] c", 1, 1]
])("the tasks of %j", (text, count, completedCount) => {
  expect(taskCompletion(text)).toEqual({ count, completedCount })
})
