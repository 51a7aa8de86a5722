import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { startTag } from "#src/changelog/startTag.ts"
import { defaultTagRegex } from "#src/changelog/version.ts"
import { compareVersions, nextLower, versionParts } from "#src/changelog/versionOrder.ts"
import { atOnce } from "./samples.ts"

const unit = fc.constantFrom("0", "1", "9", "a", "b", "Z", "-", ".", "+", "é")
const version = fc.oneof(fc.string({ unit, maxLength: 10 }), fc.string())

describe("laws of the order of versions", () => {
  it("turning a pair around turns the order around; only equal parts are equal", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0)
        expect(compareVersions(a, b) === 0).toBe(JSON.stringify(versionParts(a)) === JSON.stringify(versionParts(b)))
      })
    )
  })

  it("is transitive", () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort(compareVersions)
        expect(compareVersions(low ?? "", middle ?? "")).toBeLessThanOrEqual(0)
        expect(compareVersions(middle ?? "", high ?? "")).toBeLessThanOrEqual(0)
        expect(compareVersions(low ?? "", high ?? "")).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1000 }
    )
  })

  it("the next lower one is lower, and none is between", () => {
    fc.assert(
      fc.property(fc.array(version), version, (versions, wished) => {
        const found = nextLower(versions, wished)
        const lower = versions.filter((each) => compareVersions(each, wished) < 0)
        expect(found === undefined).toBe(lower.length === 0)
        expect(lower.every((each) => compareVersions(each, found ?? "") <= 0)).toBe(true)
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
