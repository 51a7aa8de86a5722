import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, it } from "vitest"
import { copied, isLongerThan } from "#src/kernel/characters.ts"

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

it("copies a text, and keeps nothing of what it was a part of", () => {
  const text = "Ein Wörtchen, 名, 😀: and more"
  for (let length = 0; length <= text.length; length++) {
    const part = text.slice(0, length)
    assert.strictEqual(copied(part), part.toWellFormed())
  }
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  /** The bytes that a hundred parts of long texts keep. */
  const keptBy = (part: (text: string) => string): number => {
    const parts = Array.from({ length: 100 }, (_, index) => part(Buffer.alloc(900_000, `${index} `).toString().slice(0, 100)))
    collect()
    const used = process.memoryUsage().heapUsed
    parts.length = 0
    collect()
    return used - process.memoryUsage().heapUsed
  }
  assert.isAbove(
    keptBy((part) => part),
    50 * 2 ** 20
  )
  assert.isBelow(keptBy(copied), 2 ** 20)
})
