import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { startTag } from "#src/changelog/startTag.ts"
import { defaultTagRegex } from "#src/changelog/version.ts"
import { nextLower, versionKey } from "#src/changelog/versionOrder.ts"
import { atOnce } from "#src/kernel/inSlices.ts"

const unit = fc.constantFrom("0", "1", "9", "a", "b", "Z", "-", ".", "+", "é")
const version = fc.oneof(fc.string({ unit, maxLength: 10 }), fc.string())

/** Numbers have no zeros in front; what is neither digit, letter nor `-` only separates. */
const partsOf = (text: string) => Array.from(text.matchAll(/[0-9]+|-[a-zA-Z]*|[a-zA-Z]+/g), ([part]) => part)
const rankOf = (part: string | undefined) => (part === undefined ? 1 : /^[0-9]/.test(part) ? 2 : 0)

/** Part by part, as the order is described: text, then no part at all, then number. */
const compared = (a: string, b: string): number => {
  const [ones, others] = [partsOf(a), partsOf(b)]
  for (let index = 0; index <= Math.max(ones.length, others.length); index++) {
    const [one, other] = [ones[index], others[index]]
    if (rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other)
    if (one === undefined || other === undefined) return 0
    const isNumber = rankOf(one) === 2
    const [low, high] = isNumber ? [BigInt(one), BigInt(other)] : [one, other]
    if (low !== high) return low < high ? -1 : 1
  }
  return 0
}

describe("laws of the order of versions", () => {
  it("keys are in the order of the parts", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = Number(versionKey(a) > versionKey(b)) - Number(versionKey(a) < versionKey(b))
        expect([a, b, order]).toEqual([a, b, Math.sign(compared(a, b))])
      }),
      { numRuns: 2000 }
    )
  })

  it("the next lower one is lower, and none is between", () => {
    fc.assert(
      fc.property(fc.array(version), version, (versions, query) => {
        const found = nextLower(versions, query)
        const lower = versions.filter((each) => compared(each, query) < 0)
        expect(found === undefined).toBe(lower.length === 0)
        expect(lower.every((each) => compared(each, found ?? "") <= 0)).toBe(true)
      })
    )
  })
})

const piece = fc.constantFrom("v", "0", "1", "10", "01", ".", ".", ".", "-", "+", "rc", "a1", "é", "\n", " ")
const tag = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.tuple(fc.nat(3), fc.nat(12), fc.constantFrom("", "-rc1", "+b", "-0+0", "-01")).map(([a, b, end]) => `1.${a}.${b}${end}`)
)

it("the start tag is the same with the default expression in the syntax of RE2", () => {
  fc.assert(
    fc.property(fc.array(tag), (tags) => {
      expect(atOnce(startTag("1.2.3", tags, null))).toEqual(atOnce(startTag("1.2.3", tags, defaultTagRegex)))
    })
  )
})
