import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { defaultConfig, parseConfig } from "#src/changelog/config.ts"
import { notesOf, type Release, sectionOf } from "#src/changelog/release.ts"
import { atOnce } from "#src/kernel/inSlices.ts"
import { entry, id, inSlices, january5, outcome } from "./samples.ts"

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
      atOnce(sectionOf(release({ entries }), config))
    )
  )

describe("the section", () => {
  it("has two categories in the default template", () => {
    expect(outcome(atOnce(sectionOf(release({ entries: two }), defaultConfig)))).toBe(`## 1.0.0 (2021-01-05)

### added (2 changes)

- [E1](https://host/g/p/-/commit/${id("a")}) by @alice ([merge request](https://host/g/p/-/merge_requests/1))
- [E2](https://host/g/p/-/commit/${id("b")})

### fixed (1 change)

- [E3](https://host/g/p/-/commit/${id("c")})

`)
  })

  it("says that there are no changes", () => {
    const section = outcome(atOnce(sectionOf(release({}), defaultConfig)))
    expect(section).toBe("## 1.0.0 (2021-01-05)\n\nNo changes.\n\n")
    expect(notesOf(section)).toBe("## 1.0.0 (2021-01-05)\n\nNo changes.\n")
  })

  it("keeps the offset of the date", () => {
    const date = { epochMillis: Date.parse("2024-01-01T23:30:00-05:00"), offsetSeconds: -5 * 3600 }
    expect(outcome(atOnce(sectionOf(release({ date }), { ...defaultConfig, dateFormat: "%-d %B" })))).toMatch(
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

  const timeout = "Template parser timeout. Consider reducing the size of the template"
  const perEntry = (body: string) => `{% each categories %}{% each entries %}${body}{% end %}{% end %}`

  it.each([
    ["prints everything", "{{ it }}".repeat(1000), timeout],
    ["prints much for each entry", perEntry("{{ it }}".repeat(1000)), timeout],
    ["asks much for each entry", perEntry(`{{${"it.".repeat(1000)}it}}`.repeat(20)), timeout],
    ["has long loops in loops", "{% each it %}".repeat(4) + "{{it}}".repeat(100) + "{% end %}".repeat(4), timeout]
  ])("fails soon, and lets others go on meanwhile, when the template %s", (_, template, expected) => {
    const many = Array.from({ length: 15_000 }, (_, index) => entry(`E${index}`, "e"))
    const config = Result.getOrThrow(parseConfig("c.yml", `template: ${JSON.stringify(template)}`))
    const { longest, pauses, total, value } = inSlices(sectionOf(release({ entries: many }), config))
    expect(outcome(value)).toBe(expected)
    expect(pauses).toBeGreaterThan(2)
    expect(longest).toBeLessThan(500)
    expect(total).toBeLessThan(2000)
  })

  it("fails when the pattern of the date is too long", () => {
    const dated = (length: number) =>
      outcome(atOnce(sectionOf(release({}), { ...defaultConfig, dateFormat: "%-d".padEnd(length, "!") })))
    expect(dated(19_000)).toBe(`## 1.0.0 (${"5".padEnd(18_998, "!")})\n\nNo changes.\n\n`)
    expect(dated(20_001)).toBe(timeout)
  })

  it("is made of as many entries as a range may have", () => {
    const many = Array.from({ length: 15_000 }, () =>
      entry("A title of a usual length, as people write them", "e", { author: alice, mergeRequest })
    )
    expect(outcome(atOnce(sectionOf(release({ entries: many }), defaultConfig)))).toContain("### added (15000 changes)\n")
  })
})
