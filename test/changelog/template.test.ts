import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { Budget } from "#src/changelog/template/budget.ts"
import { evaluate } from "#src/changelog/template/evaluate.ts"
import { parse } from "#src/changelog/template/parse.ts"
import type { Value } from "#src/changelog/template/value.ts"
import { atOnce } from "#src/kernel/inSlices.ts"
import { outcome } from "./samples.ts"

const map = (fields: Readonly<Record<string, Value>>): Value => new Map(Object.entries(fields))

const data = map({
  n: "v",
  t: true,
  f: false,
  zero: 0,
  list: [1, 2],
  pair: map({ x: 1 }),
  empty: "",
  none: [],
  bare: new Map(),
  nothing: null,
  deep: map({ list: [map({ a_b: "found" })] }),
  people: [map({ n: "a", tags: ["p", "q"] }), map({ n: "b", tags: [] })],
  nested: [[[[["leaf"]]]], [[[[]]]]]
})

const render = (template: string, given: Value = data): string =>
  outcome(Result.flatMap(parse(template, new Budget(10_000)), (parsed) => atOnce(evaluate(parsed, given, new Budget(10_000)))))

const parseError = (line: number, char: number): string =>
  `Failed to parse the template: Extra input after last repetition at line ${line} char ${char}.`

describe("a template prints", () => {
  it.each([
    ["", ""],
    ["{{ n }}", "v"],
    ["{{n}}", "v"],
    ["{{{n}}}", "v"],
    ["{{{{n}}}}}", "v"],
    ["{{\n n\t\r\n}}", "v"],
    ["{{n}}\n", "v\n"],
    ["{{missing}}|{{nothing}}|{{n.x}}|{{n.0}}|{{list.n}}", "||||"],
    ["{{t}} {{f}} {{zero}}", "true false 0"],
    ["{{list}} {{pair}}", '[1, 2] {"x"=>1}'],
    ["{{people}}", '[{"n"=>"a", "tags"=>["p", "q"]}, {"n"=>"b", "tags"=>[]}]'],
    ["{{list.0}}{{list.1}}{{list.2}}{{list.01}}{{list.9999999999}}", "122"],
    ["{{deep.list.0.a_b}}", "found"],
    ["{{it.n}}{{n.it}}{{it.it.pair.it.x}}", "vv1"],
    ["{n}", "{n}"],
    ["{ {n} }", "{ {n} }"],
    ["{}", "{}"],
    ["{#c#}", "{#c#}"],
    ["}} %}", "}} %}"],
    ["a{", "a{"],
    ["a\\nb", "a\\nb"],
    ["a\\{b", "a\\{b"],
    ["a\\\nb", "ab"],
    ["a \\\n\\\n b", "a  b"],
    ["a\r\n\\\r\n", "a\r\n\\\r\n"],
    ["ä{{n}}€", "äv€"]
  ])("%j as %j", (template, expected) => {
    expect(render(template)).toBe(expected)
  })

  it("special characters in lists as escapes", () => {
    expect(render("{{it}}", ['"\\\n\t\r\f\v\b\x07\x1b\x7f\x00\x1f#{#$#@#x#é'])).toBe(
      '["\\"\\\\\\n\\t\\r\\f\\v\\b\\a\\e\\x7F\\u0000\\u001F\\#{\\#$\\#@#x#é"]'
    )
    expect(render("{{it}}", [null, true, [], new Map()])).toBe("[nil, true, [], {}]")
  })
})

describe("a condition", () => {
  it.each([
    ["n", true],
    ["t", true],
    ["zero", true],
    ["list", true],
    ["pair", true],
    ["f", false],
    ["empty", false],
    ["none", false],
    ["bare", false],
    ["nothing", false],
    ["missing", false]
  ])("on %s is %s", (name, expected) => {
    expect(render(`{% if ${name} %}yes{% else %}no{% end %}`)).toBe(expected ? "yes" : "no")
    expect(render(`{%if ${name}%}yes{%end%}`)).toBe(expected ? "yes" : "")
  })

  it.each([
    ["{% if \n n %}x{% end %}", "x"],
    ["{%\n if\tn\n%}x{%\nend\n%}", "x"],
    ["{% if n %}\n\nx\n{% else %}\ny\n{% end %}\n\nz", "\nx\n\nz"],
    ["{% if f %}\nx\n{% else %}\ny\n{% end %}\nz", "y\nz"],
    ["{% if n %}\r\nx{% end %}\r\n", "\r\nx\r\n"],
    ["{% if t %}{% if f %}a{% else %}b{% end %}c{% else %}d{% end %}", "bc"]
  ])("%j is %j", (template, expected) => {
    expect(render(template)).toBe(expected)
  })
})

describe("a loop", () => {
  it.each([
    ["{% each list %}<{{it}}>{% end %}", "<1><2>"],
    ["{% each list %}\n{{ it }}\n{% end %}\n.", "1\n2\n."],
    ["{% each people %}{{n}}{{list}}{% end %}{{n}}", "abv"],
    ["{% each people %}{% each tags %}{{it}}{{n}}{% end %};{% end %}", "pq;;"],
    ["{% each pair %}{{it.0}}={{it.1}}{% end %}", "x=1"],
    ["{% each n %}x{% end %}{% each zero %}x{% end %}{% each nothing %}x{% end %}{% each t %}x{% end %}", ""],
    ["{% each none %}x{% end %}{% each bare %}x{% end %}", ""],
    ["{% each list %}{% if it %}{{it}}{% end %}{% end %}", "12"]
  ])("%j is %j", (template, expected) => {
    expect(render(template)).toBe(expected)
  })

  const loops = (depth: number, body: string): string => "{% each it %}".repeat(depth) + body + "{% end %}".repeat(depth)
  const nested = (depth: number, leaf: Value): Value => Array.from({ length: depth }).reduce<Value>((value) => [value], leaf)
  const tooDeep = "You can only nest up to 4 loops"

  it.each<[string, string, Value, string]>([
    ["four are fine", loops(4, "{{it}}"), nested(4, "leaf"), "leaf"],
    ["five are too many", loops(5, "{{it}}"), nested(5, "leaf"), tooDeep],
    ["an inner one over an empty list counts", loops(5, ""), nested(4, []), tooDeep],
    ["one that is not reached does not", loops(5, ""), nested(3, []), ""],
    ["one over a text does not", loops(5, ""), nested(4, "leaf"), ""],
    ["one after another do not", loops(4, "").repeat(3), nested(4, 1), ""],
    ["conditions between them change nothing", `{% if it %}${loops(5, "")}{% end %}`, nested(5, 1), tooDeep]
  ])("nested: %s", (_, template, given, expected) => {
    expect(render(template, given)).toBe(expected)
  })
})

describe("a parse error", () => {
  it.each([
    "\\\\",
    "\\{{x}}",
    "\\{% end %}",
    "\\",
    "{{",
    "{%",
    "{{}}",
    "{{ }}",
    "{{n1}}",
    "{{1n}}",
    "{{12345678901}}",
    "{{a-b}}",
    "{{a.}}",
    "{{.a}}",
    "{{a..b}}",
    "{{a. b}}",
    "{{ä}}",
    "{{n}",
    "{{n} }",
    "{{n\u00a0}}",
    "{{ x | y }}",
    "{{%if n%}}",
    "{% if not x %}",
    "{% if a == 1 %}",
    "{% if a %",
    "{% if %}{% end %}",
    "{%if%}",
    "{% iffy %}{% end %}",
    "{% for x %}{% end %}",
    "{% end %}",
    "{% else %}",
    "{% endx %}",
    "{% if n %}",
    "{% each n %}",
    "{% each n %}{% else %}{% end %}",
    "{% if n %}{% else %}{% else %}{% end %}",
    "{% if n %}{% if n %}{% end %}",
    "{% if n %}{{ x | y }}{% end %}",
    "{% if\nn %}x{% end %}",
    "{% each\nn %}x{% end %}",
    "{% If n %}{% end %}"
  ])("of %j is at its start", (template) => {
    expect(render(template)).toBe(parseError(1, 1))
  })

  it.each<[string, number, number]>([
    ["abc{{", 1, 4],
    ["a\nbc{{", 2, 3],
    ["a\n{{", 2, 1],
    ["a\n\n", 0, 0],
    ["é€{{", 1, 6],
    ["ok {{n}}\n{% if n %}\nx\n{{ bad bad }}{% end %}", 2, 1],
    ["{% if n %}{% end %}{% end %}", 1, 20],
    ["x{% if n %}y{% each n %}z{{ bad bad }}", 1, 2],
    ["x{% if n %}y{% each n %}z", 1, 2],
    ["a\\\n\\b\\\\", 2, 3],
    ["a\r\n\r\n {%", 3, 2]
  ])("of %j is at line %i char %i", (template, line, char) => {
    expect(render(template)).toBe(line === 0 ? template : parseError(line, char))
  })
})

describe("the budget", () => {
  const timeout = "Template parser timeout. Consider reducing the size of the template"

  it("ends parsing", () => {
    expect(outcome(parse("abc", new Budget(4)))).toEqual([{ _tag: "Text", text: "abc" }])
    expect(outcome(parse("abc", new Budget(3)))).toBe(timeout)
    expect(outcome(parse("{{ a }}", new Budget(7)))).toBe(timeout)
  })

  it.each<[string, Value]>([
    [
      "{% each it %}{% each it %}{% each it %}{% each it %}{% end %}{% end %}{% end %}{% end %}",
      fill(100, fill(100, fill(100, [])))
    ],
    ["{% each it %}{% end %}", fill(20_000, 1)],
    [`{% each it %}${"x".repeat(4000)}{% end %}`, fill(100, 1)],
    ["{% each it %}{{it}}{% end %}", fill(100, "y".repeat(4000))],
    [`{% each it %}{{${"it.".repeat(1000)}it}}{% end %}`, fill(100, 1)]
  ])("ends evaluation %#", (template, given) => {
    const parsed = Result.getOrThrow(parse(template, new Budget(10_000)))
    expect(outcome(atOnce(evaluate(parsed, given, new Budget(10_000))))).toBe(timeout)
  })
})

function fill(length: number, item: Value): ReadonlyArray<Value> {
  return Array.from({ length }, () => item)
}
