import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isLong, jsonTexts } from "#src/kernel/json/jsonTexts.ts"

/** Texts of characters of one and of two units, and of halves of such, as long as several pieces. */
const longTexts = fc
  .tuple(fc.array(fc.constantFrom("a", "\n", '"', "ü", "😀", "\ud83d", "\ude00"), { minLength: 1, maxLength: 9 }), fc.nat(60_000))
  .map(([letters, times]) => letters.join("").repeat(times + 1))

const plain = fc.jsonValue({ maxDepth: 3 })
const values = fc.oneof(
  fc.array(plain),
  fc.dictionary(fc.string(), fc.option(plain, { nil: undefined })),
  fc.record({
    name: plain,
    people: fc.array(longTexts, { maxLength: 3 }),
    deep: fc.record({ text: longTexts, none: fc.constant(undefined) })
  }),
  fc.array(fc.oneof(longTexts, plain), { maxLength: 4 }),
  longTexts
)

describe("the JSON of a value in pieces", () => {
  it("is the JSON of the whole", () => {
    // Compared by identity of text: megabytes would be printed when it fails.
    fc.assert(
      fc.property(values, (value) => [...jsonTexts(value)].join("") === JSON.stringify(value)),
      { numRuns: 200 }
    )
  })

  it("has none that is long, where texts and lists are", () => {
    const text = "ü".repeat(1_000_000)
    const value = { text, texts: [text, { text }], list: Array.from({ length: 10_000 }, (_, id) => ({ id, title: "a title" })) }
    expect(Math.max(...[...jsonTexts(value)].map(({ length }) => length))).toBeLessThan(48 * 1024)
  })

  it("is one for what is short", () => {
    expect([...jsonTexts({ text: "a".repeat(100_000), list: Array(200).fill(0) })].length).toBe(1)
  })
})

it.each([
  [Array(201).fill(0), true],
  [Array(200).fill(0), false],
  [{ a: 1, b: Array(201).fill(0) }, true],
  [{ a: [[]] }, false],
  [Array(100).fill({ people: Array(19).fill(0) }), false],
  [Array(100).fill({ people: Array(20).fill(0) }), true],
  [Array(10).fill({ target: { people: Array(200).fill(0) } }), true],
  [{ text: "a".repeat(128_000) }, false],
  [{ text: "a".repeat(128_001) }, true],
  [{ one: { text: "a".repeat(100_000) }, other: "a".repeat(30_000) }, true],
  ["a".repeat(128_000), false],
  ["a".repeat(128_001), true],
  [null, false],
  [undefined, false]
])("is long with many elements or characters", (value, isIt) => expect(isLong(value)).toBe(isIt))
