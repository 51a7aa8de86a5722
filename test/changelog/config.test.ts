import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Config, defaultConfig, parseConfig } from "#src/changelog/config.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { outcome } from "./samples.ts"

const path = ".gitlab/changelog_config.yml"
const config = (text: string): Config | string => outcome(parseConfig(path, text))

const invalid = `${path} does not contain valid YAML`
const timeout = "Template parser timeout. Consider reducing the size of the template"
const notAMap = `${path} must contain a Hash`
const categoriesNotAMap = 'The "categories" configuration key must be a Hash'

describe("defaults", () => {
  it.each([
    "",
    "\n",
    "---",
    "---\n",
    "# nothing\n",
    "~",
    "{}",
    "other: 1",
    "date_format:\ntemplate: ~\ncategories: false\ntag_regex: null\ninclude_groups: no"
  ])("of %j", (text) => {
    expect(config(text)).toEqual(defaultConfig)
  })
})

it("every key is read", () => {
  const text = `---
date_format: '%d.%m.%Y'
template: |
  {% if categories %}
  x\\
  y
  {% end %}
categories:
  feature: Features
  10: Ten
  bug: "Bug fixes"
  2: Features
  no: Off
  kept:
  feature: New
tag_regex: '^(?P<major>\\d+)$'
include_groups:
  - a/b
  - 5
  - c
`
  expect(config(text)).toEqual({
    dateFormat: "%d.%m.%Y",
    template: [{ _tag: "If", selector: ["categories"], whenTrue: [{ _tag: "Text", text: "xy\n" }], whenFalse: [] }],
    categories: new Map([
      ["feature", "New"],
      ["10", "Ten"],
      ["bug", "Bug fixes"],
      ["2", "Features"],
      ["no", "no"],
      ["kept", "kept"]
    ]),
    tagRegex: "^(?P<major>\\d+)$",
    includeGroups: ["a/b", "c"]
  })
  expect([...(Result.getOrThrow(parseConfig(path, text)).categories.keys() ?? [])]).toEqual([
    "feature",
    "10",
    "bug",
    "2",
    "no",
    "kept"
  ])
})

it.each<[string, Partial<Config>]>([
  ["include_groups: a/b", { includeGroups: ["a/b"] }],
  ["include_groups: {a: b}", { includeGroups: [] }],
  ["categories: {}", { categories: new Map() }],
  [
    "categories: {a: 1, b: true}",
    {
      categories: new Map([
        ["a", "1"],
        ["b", "true"]
      ])
    }
  ],
  [
    "categories: {__proto__: x, constructor: y, n: 1.50}",
    {
      categories: new Map([
        ["__proto__", "x"],
        ["constructor", "y"],
        ["n", "1.5"]
      ])
    }
  ],
  ["template: ''", { template: [] }],
  ["date_format: &a '%Y'", { dateFormat: "%Y" }],
  ["date_format: !!str 2021", { dateFormat: "2021" }],
  ["date_format: '%Y'\n---\n[unreadable", { dateFormat: "%Y" }],
  ["\ufeffdate_format: '%Y'\r\n", { dateFormat: "%Y" }]
])("%j", (text, expected) => {
  expect(config(text)).toEqual({ ...defaultConfig, ...expected })
})

describe("failures", () => {
  it.each([
    ["[", invalid],
    ["a: b: c", invalid],
    ["a: 'b", invalid],
    ["a: \tb\n\tc: d", invalid],
    ["a: &x b\nc: *x", invalid],
    ["a: *x", invalid],
    ["a: !ruby/object:Object {}", invalid],
    ["!foo {a: b}", invalid],
    ["a: !!binary aGk=", invalid],
    ["a: !!set {b}", invalid],
    ["a: 2021-01-01", invalid],
    ["a: 2021-01-01 10:00:00", invalid],
    ["a: :symbol", invalid],
    [":symbol: a", invalid],
    ["[1, 2]", notAMap],
    ["- a", notAMap],
    ["text", notAMap],
    ["5", notAMap],
    ["false", notAMap],
    ["categories: [a]", categoriesNotAMap],
    ["categories: text", categoriesNotAMap],
    ["categories: true", categoriesNotAMap],
    ["date_format: 5", 'The "date_format" configuration key must be a String'],
    ["template: [a]", 'The "template" configuration key must be a String'],
    ["tag_regex: {a: b}", 'The "tag_regex" configuration key must be a String'],
    ["template: '{{'", "Failed to parse the template: Extra input after last repetition at line 1 char 1."],
    [
      "template: |\n  a\n  b {% if %}\ncategories: []",
      "Failed to parse the template: Extra input after last repetition at line 2 char 3."
    ]
  ])("of %j: %s", (text, reason) => {
    expect(config(text)).toBe(reason)
  })

  it("a date inside quotes is a text", () => {
    expect(config("a: '2021-01-01'\nb: ':c'")).toEqual(defaultConfig)
  })
})

describe("the budget", () => {
  it("is for characters of file and template, and for tokens", () => {
    const template = (length: number) => `template: "${"x".repeat(length)}"`
    expect(config(template(240_000))).toEqual({ ...defaultConfig, template: [{ _tag: "Text", text: "x".repeat(240_000) }] })
    expect(config(template(260_000))).toBe(timeout)
    expect(config(`# ${"x".repeat(500_000)}`)).toBe(timeout)
    expect(config("a: b\n".repeat(10_000))).toBe(timeout)
  })

  const size = 450_000
  it.each([
    ["[", invalid],
    ["{", invalid],
    ["- ", invalid],
    ["? ", invalid],
    ["{a: ", invalid],
    ["[,", invalid],
    ["a: ", invalid],
    ["&a ", timeout],
    ["!a ", timeout],
    ["%a\n", timeout],
    ["---\n", "defaults"],
    ["'a' ", timeout],
    ["# a\n", timeout],
    ["\n", timeout],
    [" ", "defaults"],
    ["- &a a\n", timeout]
  ])("ends what is made of %j only", (text, expected) => {
    const started = cpuMillis()
    const result = config(text.repeat(size / text.length))
    expect(typeof result === "string" ? result : "defaults").toBe(expected)
    expect(cpuMillis() - started).toBeLessThan(2000)
  })

  it.each(["[,", "{,", "!a ", "%a\n", "'a' ", "a: &a\n", "] ", "|\n", "@", "\t", "a: 'b' c\n"])(
    "is small enough for %j as often as it allows",
    (text) => {
      const started = cpuMillis()
      config(`a: [${text.repeat(6_000)}`)
      config(text.repeat(6_000))
      expect(cpuMillis() - started).toBeLessThan(2000)
    }
  )
})
