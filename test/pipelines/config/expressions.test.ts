import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Budget } from "#src/pipelines/config/Budget.ts"
import { holds } from "#src/pipelines/config/expressions/evaluate.ts"
import { parseExpression } from "#src/pipelines/config/expressions/expression.ts"
import { looksLikePattern, makePatterns } from "#src/pipelines/config/expressions/patterns.ts"

const variables: Readonly<Record<string, string>> = {
  MAIN: "main",
  BRANCH: "feature/login",
  EMPTY: "",
  BLANK: " \t",
  TRUE: "true",
  NUMBER: "10",
  PATTERN: "/^feature/",
  ESCAPED: "/feature\\/log/",
  FLAGS: "/^FEATURE/i",
  WRONG: "/(/",
  PART: "x main y",
  LINES: "one\ntwo"
}

/** Whether an expression holds; undefined for one that is not well formed. */
const outcome = (text: string, budget = new Budget(100_000)): boolean | undefined => {
  const patterns = makePatterns(budget)
  const expression = parseExpression(text, patterns)
  return expression && holds(expression, { variable: (name) => variables[name], patterns })
}

describe("these hold", () => {
  it.each([
    "$MAIN",
    "$TRUE",
    "($MAIN)",
    "(($MAIN))",
    "$MAIN == 'main'",
    '$MAIN == "main"',
    '$MAIN=="main"',
    '"main" == $MAIN',
    "$MAIN != $BRANCH",
    "$MISSING == null",
    "$EMPTY != null",
    '$EMPTY == ""',
    '$MISSING != ""',
    "$MISSING == $OTHER",
    "null == null",
    '"text"',
    "/pattern/",
    "$BRANCH =~ /^feature/",
    "$BRANCH =~ /^feature\\/.*$/",
    "$BRANCH =~ /LOGIN/i",
    "$BRANCH =~ /^f.a/",
    "$NUMBER =~ /^\\d{2}$/",
    "$LINES =~ /^two$/m",
    "$LINES =~ /one.two/s",
    "$EMPTY =~ /^$/",
    "$MISSING =~ /^$/",
    "$BRANCH !~ /^main$/",
    "$MISSING !~ /x/",
    "$BRANCH !~ null",
    "$BRANCH !~ $MISSING",
    "$BRANCH =~ $PATTERN",
    "$BRANCH =~ $ESCAPED",
    "$BRANCH =~ $FLAGS",
    "$MAIN =~ $PART",
    "$MISSING =~ $PART",
    "$MAIN && $BRANCH",
    "$MISSING || $MAIN",
    "$EMPTY && $MAIN",
    "$MISSING == null && $MAIN == 'main'",
    "$MAIN == 'x' || $MAIN == 'main' && $TRUE",
    "$TRUE || $MISSING && $MISSING",
    "($MAIN == 'x' || $MAIN == 'main') && $TRUE",
    "$MAIN == 'main' && ($BRANCH =~ /x/ || ($BRANCH =~ /login$/))",
    "\n$MAIN == 'main'\n  &&\t$TRUE ",
    "$BRANCH =~ /a\\\\|e/"
  ])("%s", (text) => {
    expect(outcome(text)).toBe(true)
  })
})

describe("these do not hold", () => {
  it.each([
    "$MISSING",
    "$EMPTY",
    "$BLANK",
    "null",
    '""',
    "''",
    "$MAIN == 'Main'",
    "$MAIN == null",
    "$MISSING == ''",
    "$EMPTY == null",
    "$MAIN == /main/",
    "/main/ == $MAIN",
    "$MAIN != 'main'",
    "$BRANCH =~ /LOGIN/",
    "$BRANCH =~ /^login/",
    "$LINES =~ /^two$/",
    "$LINES =~ /one.two/",
    "$BRANCH !~ /^feature/",
    "$BRANCH =~ null",
    "$BRANCH =~ $MISSING",
    "$BRANCH =~ $WRONG",
    "$MAIN && $MISSING",
    "$MISSING && $MAIN",
    "$MISSING || $EMPTY",
    "$EMPTY || $MAIN",
    "($TRUE || $MISSING) && $MISSING",
    "$MAIN =~ /x/ && $TRUE || $MISSING"
  ])("%s", (text) => {
    expect(outcome(text)).toBe(false)
  })
})

describe("these are not well formed", () => {
  it.each([
    "",
    " ",
    "main",
    "$",
    `\${MAIN}`,
    "$MAIN ==",
    "== 'main'",
    "$MAIN = 'main'",
    "$MAIN === 'main'",
    "$MAIN == 'main",
    "$MAIN == main",
    "$MAIN 'main'",
    "$MAIN == 'main' 'x'",
    "$MAIN == true",
    "$MAIN > 1",
    "!$MAIN",
    "$MAIN & $TRUE",
    "$MAIN and $TRUE",
    "($MAIN",
    "$MAIN)",
    "()",
    "$MAIN && ",
    "$MAIN && || $TRUE",
    "$MAIN =~ /unfinished",
    "$MAIN =~ //",
    "$MAIN =~ /(/",
    "$MAIN =~ /a**/",
    "$MAIN =~ /(?=a)/",
    "$MAIN =~ /(a)\\1/",
    "$MAIN =~ /a/x",
    "$MAIN =~ /a/g",
    "'a\nb' == $MAIN"
  ])("%s", (text) => {
    expect(outcome(text)).toBeUndefined()
  })
})

it("an expression has at most a hundred tokens", () => {
  const ofTokens = (count: number) => `$MAIN${" && $MAIN".repeat((count - 1) / 2)}`
  expect([outcome(ofTokens(99)), outcome(ofTokens(101))]).toEqual([true, undefined])
  expect(outcome(`${"(".repeat(49)}$MAIN${")".repeat(49)}`)).toBe(true)
  expect(outcome(`${"(".repeat(51)}$MAIN${")".repeat(51)}`)).toBeUndefined()
})

describe("a pattern", () => {
  const compiles = (source: string): boolean => outcome(`'a' !~ /${source}x/`) === true

  it("has at most 4,000 characters", () => {
    expect([compiles(`b|${"a?".repeat(1_998)}b`), compiles(`b|${"a?".repeat(1_999)}`)]).toEqual([true, false])
  })

  it.each([
    ["[a-z0-9_.-]{1000}", true],
    ["(?:ab?){900}", true],
    ["(?:abcdefghij){1000}", false],
    ["(?:(?:abcdefghijklmnopqrstuvwxyz){10}){40}", false],
    ["(?:abcdefghij){1,1000}", false],
    ["((a{10}){10}){10}", true],
    ["(?:[^]{1000}]){11}", true],
    ["(?:[[:alpha:]{9}]\\{9}[^]{9}]){9}", true],
    ["\\x{100}\\pL\\p{Greek}", true],
    [`[${"a".repeat(100)}]{1000}`, true]
  ])("%s compiles where it is short enough with repetitions written out: %s", (source, is) => {
    expect(compiles(source)).toBe(is)
  })

  it("costs by what compiling takes", () => {
    const most = (source: string) => {
      let steps = 0
      while (steps < 2_000_000 && makePatterns(new Budget(steps)).compile(`/${source}/`) === undefined) steps += 100
      return steps
    }
    expect(["a", "a{100}", "\\pL", "(?i)\\pL", "(?i)[é-ü]", "(?i)e-u"].map(most)).toEqual([
      500, 1_000, 1_100, 14_500, 18_500, 600
    ])
  })
})

const pieces = fc.constantFrom(
  ...[
    "$A",
    "'a'",
    '"',
    "'",
    "/a/",
    "/",
    "null",
    "==",
    "!=",
    "=~",
    "!~",
    "&&",
    "||",
    "(",
    ")",
    " ",
    "\\",
    "x",
    "$",
    "=",
    "[",
    "{9}",
    "\n"
  ]
)

it("whatever the text, it holds, does not hold, or is not well formed", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""))
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect([true, false, undefined]).toContain(outcome(text))
    }),
    { numRuns: 2_000 }
  )
})

it("what is well formed stays so in parentheses, with the same outcome", () => {
  const operand = fc.constantFrom("$MAIN", "$MISSING", "$EMPTY", "null", "'main'", "/main/")
  const operator = fc.constantFrom("==", "!=", "=~", "!~")
  const simple = fc.tuple(operand, operator, operand).map((parts) => parts.join(" "))
  fc.assert(
    fc.property(simple, fc.constantFrom("&&", "||"), simple, (left, between, right) => {
      expect(outcome(`${left} ${between} ${right}`)).toBe(outcome(`((${left}) ${between} ((${right})))`))
    })
  )
})

describe("patterns", () => {
  it.each([
    ["/a/", true],
    ["/a/im", true],
    ["/a/x", false],
    ["a/", false],
    ["/", false],
    ["//", true],
    ["/a\nb/", true]
  ])("%j looks like one: %s", (text, is) => {
    expect(looksLikePattern(text)).toBe(is)
  })

  it("are compiled once, and tried once on each text", () => {
    let steps = 0
    class Counting extends Budget {
      override spend(count: number): boolean {
        steps += count
        return super.spend(count)
      }
    }
    const { compile } = makePatterns(new Counting(100_000))
    const once = compile("/^a+$/")?.test("aaa")
    const after = steps
    expect([once, compile("/^a+$/")?.test("aaa"), compile("/^a+$/")?.test("b")]).toEqual([true, true, false])
    expect(compile("/^a+$/")).toBe(compile("/^a+$/"))
    expect([after > 0, steps - after < after]).toEqual([true, true])
  })

  it("neither compile nor fit once the budget is spent", () => {
    expect(outcome("$MAIN =~ /main/", new Budget(100))).toBeUndefined()
    const { compile } = makePatterns(new Budget(2_000))
    const pattern = compile("/a/")
    expect([pattern?.test("a"), pattern?.test(`${"b".repeat(100_000)}a`)]).toEqual([true, false])
  })
})
