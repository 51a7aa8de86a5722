import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hasVersion, insertSection, versionHeaders } from "#src/changelog/insert.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const section = (version: string): string => `## ${version} (2021-01-05)\n\nNo changes.\n\n`
const atEnd = (version: string): string => `## ${version} (2021-01-05)\n\nNo changes.\n`
const insert = (file: string, version: string): string => insertSection(file, version, section(version.replace(/^v/, "")))

const [two, one] = [atEnd("2.0.0"), atEnd("1.0.0")]
const both = `# Changes\n\n${two}\n${one}`

describe("a section goes", () => {
  it.each<[string, string, string, string]>([
    ["into an empty file", "", "1.0.0", one],
    ["before the highest", both, "2.1.0", `# Changes\n\n${section("2.1.0")}${two}\n${one}`],
    ["between two", both, "v1.5.0", `# Changes\n\n${two}\n${section("1.5.0")}${one}`],
    ["after the lowest, with a blank line", both, "0.9.0", `${both}\n${atEnd("0.9.0")}`],
    ["after a last line without a break", "## 1.0.0", "0.9.0", `## 1.0.0\n${atEnd("0.9.0")}`],
    ["to the end of a file without headers, without a blank line", "# Changes\n", "1.0.0", `# Changes\n${one}`],
    ["right behind a last line without a break", "# Changes", "1.0.0", `# Changes${one}`],
    ["to the end when headers have a v", "## v1.0.0\n\nold\n", "2.0.0", `## v1.0.0\n\nold\n${two}`],
    [
      "by version, not by the order of the file",
      "## 1.0.0\n\n## 3.0.0\n\n## 2.0.0\n",
      "2.5.0",
      `## 1.0.0\n\n## 3.0.0\n\n${section("2.5.0")}## 2.0.0\n`
    ],
    [
      "before the last of two equal headers",
      "## 1.0.0\na\n## 1.0.0\nb\n",
      "1.1.0",
      `## 1.0.0\na\n${section("1.1.0")}## 1.0.0\nb\n`
    ],
    ["before candidates of the version", "## 1.0.0-rc1\n", "1.0.0", `${section("1.0.0")}## 1.0.0-rc1\n`],
    ["with numbers in order", "## 1.9.0\n", "1.10.0", `${section("1.10.0")}## 1.9.0\n`],
    ["before a line with other ends", "a\r\n## 1.0.0\r\n", "1.1.0", `a\r\n${section("1.1.0")}## 1.0.0\r\n`]
  ])("%s", (_, file, version, expected) => {
    expect(insert(file, version)).toBe(expected)
  })
})

describe("a header", () => {
  it.each<[string, ReadonlyArray<string>]>([
    ["## 1.0.0", ["1.0.0"]],
    ["## 1.0.0 (2021-01-05)", ["1.0.0"]],
    ["## 1.0.0-rc1+ee.0: a", ["1.0.0-rc1+ee.0"]],
    ["## 1.0.0-0abc", ["1.0.0-0abc"]],
    ["##\t  1.0.0]", ["1.0.0"]],
    ["## 1.0.0.1", ["1.0.0"]],
    ["## v1.0.0", []],
    ["# 1.0.0", []],
    ["### 1.0.0", []],
    ["##1.0.0", []],
    [" ## 1.0.0", []],
    ["## [1.0.0]", []],
    ["## 1.0", []],
    ["##\n1.0.0", []],
    ["a\r## 1.0.0", []],
    ["", []]
  ])("%j is of %j", (file, expected) => {
    expect([...versionHeaders(file).keys()]).toEqual(expected)
  })
})

describe("a version is there", () => {
  it.each<[string, string, boolean]>([
    ["## 1.0.0 (2021-01-05)\n", "1.0.0", true],
    ["## 1.0.0 (2021-01-05)\n", "v1.0.0", true],
    ["a\n##1.0.0\n", "1.0.0", true],
    ["##   1.0.0", "1.0.0", true],
    ["## 1.0.0-rc1\n", "1.0.0", false],
    ["## 1.0.0.1\n", "1.0.0", false],
    ["## 1.0.01\n", "1.0.0", false],
    ["### 1.0.0\n", "1.0.0", false],
    ["# 1.0.0\n", "1.0.0", false],
    ["a ## 1.0.0\n", "1.0.0", false],
    ["## 1x0.0\n", "1.0.0", false],
    ["## v1.0.0\n", "1.0.0", false],
    ["## x1.2.3y (z)\n", "x1.2.3y", true],
    ["", "1.0.0", false]
  ])("%j, %s: %s", (file, version, expected) => {
    expect(hasVersion(file, version)).toBe(expected)
  })
})

const commonLength = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1
  return length
}

const version = fc.tuple(fc.nat(12), fc.nat(3), fc.nat(3)).map((parts) => parts.join("."))
const line = fc.oneof(
  version.map((text) => `## ${text} (2020-01-01)`),
  version.map((text) => `## v${text}`),
  fc.constantFrom("", "text", "# Changes", "### added", "##", "a\r"),
  fc.string()
)
const file = fc.tuple(fc.array(line), fc.boolean()).map(([lines, broken]) => lines.join("\n") + (broken ? "\n" : ""))

describe("laws of insertion", () => {
  it("all old text stays, around one new piece", () => {
    fc.assert(
      fc.property(file, version, (old, query) => {
        const grown = insert(old, query)
        const alike = commonLength(old, grown)
        expect(grown.length).toBeGreaterThan(old.length)
        expect(grown.endsWith(old.slice(alike))).toBe(true)
      })
    )
  })

  it("the inserted version is found, unless it is glued to a last line", () => {
    fc.assert(
      fc.property(file, version, (old, query) => {
        fc.pre(old === "" || old.endsWith("\n") || versionHeaders(old).size > 0)
        expect(hasVersion(insert(old, query), query)).toBe(true)
      })
    )
  })

  it("an ordered file stays ordered, whatever the order of releases", () => {
    fc.assert(
      fc.property(fc.uniqueArray(version, { minLength: 1, maxLength: 8 }), (versions) => {
        const grown = versions.reduce(insert, "")
        expect([...versionHeaders(grown).keys()]).toEqual(descending(versions))
        expect(grown.split("\n\n## ").length).toBe(versions.length)
      })
    )
  })
})

const descending = (versions: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rank = (text: string): number => text.split(".").reduce((sum, part) => sum * 100 + Number(part), 0)
  return versions.toSorted((a, b) => rank(b) - rank(a))
}

it.each(["## ", "##\n", "## 1.0.0\n", "\n", "##", "## 1.0.0-", "## 1.0.0-a.", "## 1"])(
  "a file of a million characters of %j is done soon",
  (text) => {
    const started = cpuMillis()
    const hostile = text.repeat(1_000_000 / text.length)
    hasVersion(hostile, "1.2.3")
    insert(hostile, "1.2.3")
    insert(`## 1.0.0-${"a.".repeat(500_000)}`, "1.2.3")
    insert(`##${" ".repeat(1_000_000)}`, "1.2.3")
    expect(cpuMillis() - started).toBeLessThan(3000)
  }
)
