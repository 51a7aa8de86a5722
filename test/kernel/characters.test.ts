import { assert, it } from "vitest"
import { isLongerThan } from "#src/kernel/characters.ts"

it.each([
  ["a".repeat(255), false],
  ["a".repeat(256), true],
  ["\u{1f600}".repeat(255), false],
  ["\u{1f600}".repeat(256), true],
  [`${"a".repeat(200)}${"\u{1f600}".repeat(55)}`, false],
  ["a".repeat(1_000_000), true]
])("counts characters, not their halves", (text, isLonger) => {
  assert.strictEqual(isLongerThan(text, 255), isLonger)
})
