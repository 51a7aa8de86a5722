import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { Budget } from "#src/pipelines/config/Budget.ts"
import { maxTokens } from "#src/pipelines/config/limits.ts"
import { toJson } from "#src/pipelines/config/value.ts"
import { readYaml } from "#src/pipelines/config/yaml/readYaml.ts"

const resultOf = (text: string) => {
  const work = readYaml(text, new Budget(maxTokens))
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}

/** What a text holds, as JSON, or what is wrong with it. */
const read = (text: string): unknown =>
  Result.match(resultOf(text), { onSuccess: toJson, onFailure: ({ faults }) => faults.join("\n") })

/** The value of the only key. */
const valueIn = (text: string): unknown => read(`a: ${text}`)

it.each(['"\\0": 1', 'a: "x\\0"', "a: [x\0y]", 'a: {"\\ud800": b}', 'a: &b "\\udc00"', "a: |\n  x\0\n"])(
  "%j has a text that cannot be stored",
  (text) => {
    expect(read(text)).toBe("Invalid YAML: a text contains NUL or half of a surrogate pair")
  }
)

it("a fault can be stored, whatever it cites", () => {
  expect(read("a: *x\0y")).toBe("Unknown alias: x\ufffdy")
  const cut = String(read(`a: *${"x".repeat(984)}\u{1f600}`))
  expect([cut.length, cut.endsWith("x\ufffd…")]).toEqual([1_001, true])
})

describe("plain scalars", () => {
  it.each([
    ["", null],
    ["~", null],
    ["null", null],
    ["NULL", null],
    ["true", true],
    ["Yes", true],
    ["ON", true],
    ["false", false],
    ["no", false],
    ["off", false],
    ["y", "y"],
    ["n", "n"],
    ["0", 0],
    ["12", 12],
    ["-3", -3],
    ["+4", 4],
    ["1_000", 1000],
    ["1,000", 1000],
    ["0777", 511],
    ["0o17", "0o17"],
    ["089", "089"],
    ["0b101", 5],
    ["0x1F", 31],
    ["-0x10", -16],
    ["12345678901234567890", "12345678901234567890"],
    ["1.5", 1.5],
    ["-.5", -0.5],
    ["1.10", 1.1],
    ["1.0", "1.0"],
    ["20.", "20.0"],
    ["1.5e+3", "1500.0"],
    ["1e3", "1e3"],
    ["12e4567", "12e4567"],
    ["1234e56", "1234e56"],
    [".", "."],
    ["-.", "-."],
    [".e+3", ".e+3"],
    ["-x", "-x"],
    ["1.2.3", "1.2.3"],
    ["2024-01-31", "2024-01-31"],
    ["12:30", "12:30"],
    [":symbol", "symbol"],
    ["':text'", ":text"],
    ["'12'", "12"],
    ['"true"', "true"],
    ["!!str 12", "12"],
    ["! 12", "12"],
    ["!!int '12'", 12],
    ["!!bool yes", true],
    ["!other 12", 12],
    ["node:24-alpine", "node:24-alpine"],
    ["$CI_COMMIT_BRANCH", "$CI_COMMIT_BRANCH"]
  ])("%s", (text, value) => {
    expect(valueIn(text)).toEqual({ a: value })
  })
})

describe("structures", () => {
  it.each<readonly [string, string, unknown]>([
    ["lists and maps", "a: [1, {b: c}]\nd:\n  - e\n  -\n    f: g\n", { a: [1, { b: "c" }], d: ["e", { f: "g" }] }],
    ["blocks", "a: |\n  x\n   y\n\nb: >-\n  x\n  y\n", { a: "x\n y\n", b: "x y" }],
    ["keys that are no texts", "1: a\ntrue: b\n1.10: c\n~: d\n:e: f\n", { 1: "a", true: "b", "1.1": "c", "": "d", e: "f" }],
    ["a key twice", "a: 1\nb: 2\na: 3\n", { a: 3, b: 2 }],
    ["names of JavaScript", "__proto__: 1\nconstructor: 2\n", JSON.parse('{"__proto__": 1, "constructor": 2}')],
    ["anchors", "a: &x [1, 2]\nb: *x\nc: &y {d: *x}\ne: *y\n", { a: [1, 2], b: [1, 2], c: { d: [1, 2] }, e: { d: [1, 2] } }],
    ["an anchor twice", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n", { a: 1, b: 1, c: 2, d: 2 }],
    ["an anchor of nothing", "a: &x\nb: *x\n", { a: null, b: null }],
    ["a key that is an alias", "a: &x k\n*x : 1\n", { a: "k", k: 1 }],
    ["a merge key", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
    ["a merge key after other keys", "a: &x {b: 1}\nd:\n  b: 2\n  <<: *x\n", { a: { b: 1 }, d: { b: 1 } }],
    [
      "several maps under a merge key",
      "a: &x {b: 1, c: 1}\ne: &y {c: 2, d: 2}\nf:\n  <<: [*x, *y]\n",
      { a: { b: 1, c: 1 }, e: { c: 2, d: 2 }, f: { b: 1, c: 1, d: 2 } }
    ],
    ["two merge keys", "a: &x {b: 1}\ne: &y {c: 2}\nf:\n  <<: *x\n  <<: *y\n", { a: { b: 1 }, e: { c: 2 }, f: { b: 1, c: 2 } }],
    ["a merge key without a map", "a:\n  <<: text\n", { a: { "<<": "text" } }],
    ["the first of several documents", "---\na: 1\n---\nb: 2\n", { a: 1 }],
    ["the first document that is not empty", "---\n# nothing\n---\na: 1\n...\n", { a: 1 }],
    ["what is wrong in later documents", "a: 1\n---\nb: [\n", { a: 1 }],
    ["a directive", "%YAML 1.2\n---\na: yes\n", { a: true }],
    ["a map without entries", "{}", {}]
  ])("%s", (_, text, value) => {
    expect(read(text)).toEqual(value)
  })

  it("that aliases share are the same", () => {
    const config = Result.getOrThrow(resultOf("a: &x [1]\nb: *x\n"))
    expect([config.get("a"), config.get("a") === config.get("b")]).toEqual([[1], true])
  })
})

describe("what is wrong", () => {
  it.each([
    ["# nothing", "Invalid configuration format"],
    ["- a", "Invalid configuration format"],
    ["text", "Invalid configuration format"],
    ["---\n---\n", "Invalid configuration format"],
    ["? [a]\n: b", "Invalid configuration format"],
    ["a: *x", "Unknown alias: x"],
    ["a: &x [*x]", "Unknown alias: x"],
    ["a: b: c", "Invalid YAML: Nested mappings are not allowed in compact mappings at line 1 column 4"],
    [
      "a: 1\nb: [1, 2",
      "Invalid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2 column 9"
    ],
    ["a:\n\t- b", "Invalid YAML: Tabs are not allowed as indentation at line 2 column 1"],
    ['a: "b', 'Invalid YAML: Missing closing "quote at line 1 column 6']
  ])("%j", (text, fault) => {
    expect(read(text)).toBe(fault)
  })
})
