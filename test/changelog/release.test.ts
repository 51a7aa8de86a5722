import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { defaultConfig, parseConfig } from "#src/changelog/config.ts"
import { notesOf, type Release, sectionOf } from "#src/changelog/release.ts"
import { entry, id, january5, outcome } from "./samples.ts"

const release = (more: Partial<Release>): Release => ({ version: "v1.0.0", date: january5, entries: [], ...more })

const alice = { reference: "@alice", contributor: true, credit: true }
const mergeRequest = { reference: "g/p!1", webUrl: "https://host/g/p/-/merge_requests/1" }

const two = [
  entry("E1", "a", { author: alice, mergeRequest }),
  entry("E3", "c", { category: "fixed", author: { ...alice, credit: false } }),
  entry("E2", "b")
]

const custom = (template: string, entries: Release["entries"] = two): string =>
  outcome(
    Result.flatMap(parseConfig("c.yml", `template: ${JSON.stringify(template)}`), (config) =>
      sectionOf(release({ entries }), config)
    )
  )

describe("the section", () => {
  it("has two categories in the default template", () => {
    expect(outcome(sectionOf(release({ entries: two }), defaultConfig))).toBe(`## 1.0.0 (2021-01-05)

### added (2 changes)

- [E1](https://host/g/p/-/commit/${id("a")}) by @alice ([merge request](https://host/g/p/-/merge_requests/1))
- [E2](https://host/g/p/-/commit/${id("b")})

### fixed (1 change)

- [E3](https://host/g/p/-/commit/${id("c")})

`)
  })

  it("says that there are no changes", () => {
    const section = outcome(sectionOf(release({}), defaultConfig))
    expect(section).toBe("## 1.0.0 (2021-01-05)\n\nNo changes.\n\n")
    expect(notesOf(section)).toBe("## 1.0.0 (2021-01-05)\n\nNo changes.\n")
  })

  it("keeps the offset of the date", () => {
    const date = { epochMillis: Date.parse("2024-01-01T23:30:00-05:00"), offsetSeconds: -5 * 3600 }
    expect(outcome(sectionOf(release({ date }), { ...defaultConfig, dateFormat: "%-d %B" }))).toMatch(
      /^## 1\.0\.0 \(1 January\)\n/
    )
  })

  it.each([
    ["{% each categories %}{{ title }} {{ count }} {{ single_change }};{% end %}", "added 2 false;fixed 1 true;"],
    ["\n \t{{ categories.0.entries.0.commit.reference }}\r\n\n", `g/p@${id("a")}`],
    ["{{ categories.0.entries.0.commit.trailers }}", '{"Changelog"=>"added"}'],
    ["{{ categories.0.entries.0.commit.trailers.Changelog }}", "added"],
    ["{{ categories.0.entries.0.author.reference }}|{{ categories.0.entries.1.author }}", "@alice|"],
    ["{{ categories.1.entries.0.author }}", '{"reference"=>"@alice", "contributor"=>true, "credit"=>false}'],
    ["{{ categories.0.entries.0.merge_request }}", `{"reference"=>"g/p!1", "web_url"=>"${mergeRequest.webUrl}"}`],
    ["{{ categories.0.entries.1.merge_request }}", ""],
    ["\u00a0x\u00a0", "\u00a0x\u00a0"],
    ["", ""]
  ])("of the template %j", (template, expected) => {
    expect(custom(template)).toBe(`## 1.0.0 (2021-01-05)\n\n${expected}\n\n`)
  })

  it("fails when the template takes too long", () => {
    const template = `{% each categories %}{% each entries %}${"{{ it }}".repeat(1000)}{% end %}{% end %}`
    const many = Array.from({ length: 15_000 }, () => entry("E", "e"))
    expect(custom(template, many)).toBe("Template parser timeout. Consider reducing the size of the template")
  })

  it("is made of as many entries as a range may have", () => {
    const many = Array.from({ length: 15_000 }, () =>
      entry("A title of a usual length, as people write them", "e", { author: alice, mergeRequest })
    )
    expect(outcome(sectionOf(release({ entries: many }), defaultConfig))).toContain("### added (15000 changes)\n")
  })
})
