import { describe, expect, it } from "vitest"
import { startTag } from "#src/changelog/startTag.ts"
import { defaultTagRegex, versionPattern, withoutPrefix } from "#src/changelog/version.ts"
import { nextLower, versionKey } from "#src/changelog/versionOrder.ts"
import { atOnce } from "#src/kernel/inSlices.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { inSlices, outcome, startTags, tagNames } from "./samples.ts"

const start = (version: string, from: ReadonlyArray<string> = tagNames, regex: string | null = null) =>
  outcome(atOnce(startTag(version, from, regex)))

const unknown = "The commit start range is unspecified, and no previous tag could be found to use instead"
const malformed = "The requested `version` attribute format is not correct. Use formats such as `1.0.0` or `v1.0.0`."
const invalid = "The regular expression to use for finding the previous tag for a version is invalid: "

describe("the start tag", () => {
  it.each([
    ...startTags,
    ["0.5.0", unknown],
    ["0.5.1+1", "0.5.0+42.ee.0"],
    ["0.4.0", unknown],
    ["foo1.2.3", malformed],
    ["1.2.3y", malformed],
    ["vv1.2.3", malformed],
    ["1.2", malformed],
    ["1.02.3", malformed],
    ["1.2.3\n", malformed],
    ["", "The `version` attribute is required."],
    [" ", "The `version` attribute is required."]
  ])("of %j is %j", (version, expected) => {
    expect(start(version)).toBe(expected)
  })

  it.each<[string, ReadonlyArray<string>, string | null, string]>([
    ["16.8.0", ["16.7.0", "16.8.0+ee.0", "16.8.0"], null, "16.8.0+ee.0"],
    ["1.0.0", ["0.9.0-rc1"], null, unknown],
    ["1.0.0", ["release-0.9.0", "0.9"], null, unknown],
    ["1.0.0", ["v1.0.0", "1.0.0"], null, unknown],
    ["1.10.0", ["1.9.0", "1.2.0"], null, "1.9.0"],
    ["1.0.0", ["app-0.9.0", "lib-0.9.5"], "^app-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$", "app-0.9.0"],
    ["1.0.0", ["see 0.9.0 there"], "(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)", "see 0.9.0 there"],
    ["1.0.0", ["0.9.0"], "(?P<major>\\d+)\\.(?P<minor>\\d+)", unknown],
    ["1.0.0", ["0.9"], "(?P<major>\\d+)\\.(?P<minor>\\d+)(?P<patch>x)?", unknown],
    ["1.0.0", ["0.9.0", "0.9.1b"], "(?P<major>\\d)\\.(?P<minor>\\d)\\.(?P<patch>\\d)(?P<pre>.*)", "0.9.0"],
    ["1.0.0", [], "(", `${invalid}missing closing ): \`(\``],
    ["1.0.0", [], "(?=x)", `${invalid}invalid or unsupported Perl syntax: \`(?=\``],
    ["1.0.0", [], "\\1", `${invalid}invalid escape sequence: \`\\1\``],
    ["1.0.0", [], "(a{1000}){1000}", `${invalid}invalid repeat count: \`{1000}\``],
    ["1.0.0", [], "a".repeat(1001), `${invalid}pattern too large - compile failed`]
  ])("of %s among %j with %j is %j", (version, from, regex, expected) => {
    expect(start(version, from, regex)).toBe(expected)
  })

  it("takes no time to speak of with an expression that other engines never finish", () => {
    const started = cpuMillis()
    expect(start("1.0.0", ["a".repeat(200)], "^(a+)+b(?P<major>x)$")).toBe(unknown)
    expect(cpuMillis() - started).toBeLessThan(1000)
  })

  const repeated = (text: string) => text.repeat(1000 / text.length)
  it.each([
    "(a|aa|aaa){900}(?P<major>x)",
    repeated("a?"),
    repeated(".*"),
    repeated("a|b|"),
    repeated("(?:a?){1000}"),
    repeated("\\pL"),
    repeated("\\pL{1000}"),
    repeated("(?i)\\pL{1000}"),
    repeated("(?:\\pL{30}){30}"),
    repeated("[^a]{1000}"),
    repeated("[[:word:]]{500}"),
    repeated("("),
    `${"(".repeat(499)}a${")".repeat(499)}`
  ])("is not looked for long, and not without a pause, by %j", (regex) => {
    const many = Array.from({ length: 10_000 }, (_, index) => `${"a".repeat(200)}${index}`)
    const { longest, total, value } = inSlices(startTag("1.0.0", many, regex))
    expect(outcome(value).replace(/: .*/s, ": ")).toMatch(new RegExp(`^(${invalid}|${unknown})$`))
    expect(longest).toBeLessThan(500)
    expect(total).toBeLessThan(3000)
  })

  it("may be any of very many", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `v${index}.0.0`)
    expect(start("15000.0.0", many)).toBe("v14999.0.0")
    expect(start("15000.0.0", many, defaultTagRegex)).toBe("v14999.0.0")
  })
})

describe("the order of versions", () => {
  const ascending = [
    "v1.0.0",
    "1.0.0-alpha",
    "1.0.0-rc1",
    "1.0.0-rc10",
    "1.0.0+build",
    "1.0.0",
    "1.0.0+1",
    "1.0.1",
    "1.9.0",
    "1.10.0",
    "99999999999999999999.0.0",
    "100000000000000000000.0.0"
  ]

  it.each(ascending.flatMap((a, i) => ascending.map((b, j): [string, string, number] => [a, b, Math.sign(i - j)])))(
    "%s, %s: %i",
    (a, b, order) => {
      expect(Math.sign(Number(versionKey(a) > versionKey(b)) - Number(versionKey(a) < versionKey(b)))).toBe(order)
    }
  )

  it.each([
    ["1.02.0", "1.2.0"],
    ["1.0.0+", "1.0.0"],
    ["1_0_0", "1.0.0"]
  ])("does not tell %s from %s", (a, b) => {
    expect(versionKey(a)).toBe(versionKey(b))
  })

  it("finds the next lower one, of equal ones the last", () => {
    expect(nextLower(["1.0.0", "0.9.0", "0.09.0", "0.8.0"], "1.0.0")).toBe("0.09.0")
    expect(nextLower(["1.0.0"], "1.0.0")).toBeUndefined()
  })
})

describe("a version", () => {
  it.each([
    ["1.0.0", true],
    ["x1.2.3y", true],
    ["v1.0.0-rc1", true],
    ["01.2.3", true],
    ["1.2", false],
    ["1.02.3", false],
    ["abc", false],
    ["", false],
    ["1".repeat(1_000_000), false],
    ["1.0.0-".padEnd(255, "a"), true],
    ["1.0.0-".padEnd(256, "a"), false],
    ["1.1.".repeat(250_000), false]
  ])("contains X.Y.Z: %#", (text, expected) => {
    expect(versionPattern.test(text)).toBe(expected)
  })

  it.each([
    ["v1.2.0", "1.2.0"],
    ["1.2.0", "1.2.0"],
    ["x1.2.3y", "x1.2.3y"],
    ["vv1.2.3", "v1.2.3"]
  ])("%s is printed as %s", (version, expected) => {
    expect(withoutPrefix(version)).toBe(expected)
  })
})
