import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Budget } from "#src/changelog/template/budget.ts"
import { evaluate } from "#src/changelog/template/evaluate.ts"
import { parse } from "#src/changelog/template/parse.ts"
import { atOnce } from "#src/kernel/inSlices.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const pieces = ["{{", "}}", "{%", "%}", " ", "\n", "\\", "if ", "each ", "else", "end", "it", "a.b", ".", "0", "{", "é", "x"]
const template = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(""))
)

const blocks = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie("node"), { maxLength: 3 }).map((parts) => parts.join("")),
  node: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom("text", "{{ it }}", "{{ a.0 }}", "\\\n", "{ "),
    tie("nodes").map((body) => `{% if it %}${body}{% end %}`),
    fc.tuple(tie("nodes"), tie("nodes")).map(([yes, no]) => `{% if a %}${yes}{% else %}${no}{% end %}`),
    tie("nodes").map((body) => `{% each it %}${body}{% end %}`)
  )
})).nodes

describe("laws of templates", () => {
  it("parsing never throws and takes at most two steps a character", () => {
    fc.assert(
      fc.property(template, (source) => {
        const budget = new Budget(1_000_000)
        parse(source, budget)
        expect(1_000_000 - budget.left).toBeLessThanOrEqual(2 * source.length)
      })
    )
  })

  it("blocks that are closed are read and evaluated, or nested too deeply", () => {
    fc.assert(
      fc.property(blocks, (source) => {
        const result = Result.flatMap(parse(source, new Budget(1_000_000)), (nodes) =>
          atOnce(evaluate(nodes, [[["leaf"]]], new Budget(1_000_000)))
        )
        expect(Result.match(result, { onSuccess: () => "", onFailure: ({ reason }) => reason })).toMatch(/^(You can only.*)?$/)
      })
    )
  })

  it("text without braces and backslashes is printed as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!/[{\\]/.test(text))
        const nodes = parse(text, new Budget(10_000))
        expect(Result.flatMap(nodes, (parsed) => atOnce(evaluate(parsed, null, new Budget(10_000))))).toEqual(
          Result.succeed(text)
        )
      })
    )
  })
})

const million = 1_000_000
const repeated = (text: string): string => text.repeat(million / text.length)

describe("a hostile template of a million characters", () => {
  it.each([
    "{{",
    "{",
    "{%",
    "{% if x %}",
    "{% each x %}",
    "{% if x %}{% else %}",
    "{% if x ",
    "{% end %}",
    "\\\\",
    "\\\n",
    "\\x",
    "\n",
    "{{a}}",
    "{{a",
    "a{",
    "}}",
    "{{ ",
    "{% "
  ])("of %j only is done soon", (text) => {
    const started = cpuMillis()
    parse(repeated(text), new Budget(10 * million))
    expect(cpuMillis() - started).toBeLessThan(2000)
  })

  it.each([
    `{{${"a.".repeat(million / 2)}a}}`,
    `{{${" ".repeat(million)}a}}`,
    `{% if${" ".repeat(million)}`,
    `{{${"1".repeat(million)}}}`
  ])("in one tag is done soon %#", (source) => {
    const started = cpuMillis()
    parse(source, new Budget(10 * million))
    expect(cpuMillis() - started).toBeLessThan(2000)
  })

  it.each(["{% if it %}", "{% if x %}{% else %}"])("of %j in each other is evaluated without recursion", (opening) => {
    const depth = 50_000
    const source = `${opening.repeat(depth)}x${"{% end %}".repeat(depth)}`
    const nodes = parse(source, new Budget(10 * million))
    expect(Result.flatMap(nodes, (parsed) => atOnce(evaluate(parsed, 1, new Budget(million))))).toEqual(Result.succeed("x"))
  })
})
