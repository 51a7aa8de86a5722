import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Budget } from "#src/pipelines/config/Budget.ts"
import { type Globs, makeGlobs } from "#src/pipelines/config/rules/globs.ts"

const globs = (steps = 1_000_000): Globs => makeGlobs(new Budget(steps))

describe("patterns of paths", () => {
  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["README.md", ["README.md"], ["README.mdx", "docs/README.md", "README_md", "readme.md"]],
    ["src/app.ts", ["src/app.ts"], ["src/app.tsx", "src/deep/app.ts"]],
    ["*", ["a", ".hidden"], ["a/b"]],
    ["*.ts", ["a.ts", ".ts"], ["a.tsx", "src/a.ts"]],
    ["src/*", ["src/a", "src/.b"], ["src/a/b", "src", "lib/a"]],
    ["src/*/a.ts", ["src/x/a.ts"], ["src/a.ts", "src/x/y/a.ts"]],
    ["**/*", ["a", "a/b", "a/.b/c"], []],
    ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/.x/a.ts"], ["a.js"]],
    ["src/**/*", ["src/a", "src/a/b"], ["src", "srcs/a"]],
    ["src/**/a.ts", ["src/a.ts", "src/x/a.ts", "src/x/y/a.ts"], ["src/xa.ts"]],
    ["src/**", ["src/a"], ["src/a/b"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["**", ["a"], ["a/b"]],
    ["?.ts", ["a.ts", "é.ts"], [".ts", "ab.ts"]],
    ["a?b", ["axb"], ["a/b", "ab"]],
    ["[abc].ts", ["a.ts", "c.ts"], ["d.ts", "ab.ts"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
    ["[!a-c]x", ["dx"], ["ax", "/x"]],
    ["[^a]x", ["bx"], ["ax"]],
    ["a[!b]c", ["axc"], ["abc", "a/c"]],
    ["[\\]]", ["]"], ["\\"]],
    ["[\\d]", ["d"], ["1"]],
    ["[[]", ["["], ["]"]],
    ["[.]x", [".x"], ["ax"]],
    ["[]", [], ["", "]"]],
    ["[!]", ["a"], ["/"]],
    ["[a", [], ["[a", "a"]],
    ["[b-a]", [], ["a", "b"]],
    ["{a,b}.ts", ["a.ts", "b.ts"], ["c.ts", "{a,b}.ts"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js"]],
    ["{src,lib}/**/*.ts", ["src/a.ts", "lib/x/a.ts"], ["test/a.ts"]],
    ["{src/,}a.ts", ["src/a.ts", "a.ts"], ["lib/a.ts"]],
    ["{a,{b,c}d}e", ["ae", "bde", "cde"], ["ade", "de"]],
    ["{**/*.md,docs/**/*}", ["a.md", "x/a.md", "docs/a", "docs/x/a"], ["src/a"]],
    ["{a}", ["a"], ["{a}"]],
    ["{a,b", ["{a,b"], ["a"]],
    ["a}b,c", ["a}b,c"], []],
    ["{[}],a}", ["}", "a"], ["[}]"]],
    ["\\*.ts", ["*.ts"], ["a.ts"]],
    ["a\\{b", ["a{b"], []],
    ["a\\", ["a\\"], ["a"]],
    ["a.b+c(d)|e^f$g", ["a.b+c(d)|e^f$g"], ["aXb+c(d)|e^f$g"]],
    ["*.+(ts)", ["a.+(ts)"], ["a.ts"]],
    ["*\n", ["a\n"], ["a"]],
    ["", [""], ["a"]]
  ])("%j", (glob, fitting, others) => {
    expect([...fitting, ...others].filter((path) => globs().anyFits([glob], [path]))).toEqual(fitting)
  })
})

it("braces may be in twenty others", () => {
  const nested = (depth: number) => `${"{".repeat(depth)}a${"}".repeat(depth)}`
  expect([globs().anyFits([nested(20)], ["a"]), globs().anyFits([nested(21)], ["a"])]).toEqual([true, false])
})

it("any pattern may fit any path", () => {
  const { anyFits } = globs()
  expect([
    anyFits(["a", "*.ts"], ["b", "c.ts"]),
    anyFits(["a", "*.ts"], ["b", "c"]),
    anyFits([], ["a"]),
    anyFits(["*"], [])
  ]).toEqual([true, false, false, false])
})

it("the paths that a pattern fits are told in their order", () => {
  expect(globs().fitting("ci/*.yml", ["ci/b.yml", "ci/a.yml", "ci/x/a.yml", "a.yml"])).toEqual(["ci/b.yml", "ci/a.yml"])
})

describe("what exists", () => {
  it.each([
    [["docs/"], ["docs/a/b"], true],
    [["docs/"], ["docs", "docs2/a"], false],
    [["*.md"], ["a/b.md"], false],
    [["**/*.md"], ["a/b.md"], true],
    [["a/b.md"], ["a/b.md"], true],
    [[], ["a"], false]
  ])("%j of %j: %s", (patterns, paths, exists) => {
    expect(globs().anyExists(patterns, paths)).toBe(exists)
  })
})

const paths = (count: number, folder: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${folder}${index}.txt`)

it("more than 50,000 pairs count as fitting, exact patterns and what lies in folders aside", () => {
  const { anyExists, anyFits } = globs(10_000_000)
  const two = ["*.a", "*.b"]
  expect([anyFits(two, paths(25_000, "")), anyFits(two, paths(25_001, ""))]).toEqual([false, true])
  expect([anyFits(["a", "b"], paths(50_000, "")), anyExists(["x/", "b"], paths(50_000, ""))]).toEqual([false, false])
  expect([anyExists(two, [...paths(100, ""), ...paths(50_000, "x/")]), anyExists(["**/*.a"], paths(50_001, "x/"))]).toEqual([
    false,
    true
  ])
})

it("once the budget is spent, nothing fits", () => {
  const { anyFits } = globs(10_000)
  expect([anyFits(["*.a"], ["x.a"]), anyFits(["*.b"], [...paths(10_000, ""), "x.b"])]).toEqual([true, false])
})

it("whatever the pattern, it fits or does not, within its steps", () => {
  const piece = fc.constantFrom(
    "*",
    "**",
    "**/",
    "?",
    "[",
    "]",
    "[a-z]",
    "[!",
    "{",
    "}",
    ",",
    "\\",
    "/",
    "a",
    "b",
    "-",
    "^",
    ".",
    "é",
    "😀"
  )
  const glob = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""))
  fc.assert(
    fc.property(glob, fc.array(fc.stringMatching(/^[ab/.-]{0,20}$/), { maxLength: 5 }), (pattern, files) => {
      expect(globs().anyFits([pattern], files)).toBeTypeOf("boolean")
    }),
    { numRuns: 2_000 }
  )
})

it("a pattern without special characters fits itself only", () => {
  const path = fc.stringMatching(/^[\w.+$^()|/ -]{1,20}$/)
  fc.assert(
    fc.property(path, path, (pattern, file) => {
      expect([globs().anyFits([pattern], [pattern]), globs().anyFits([`${pattern}*`], [pattern])]).toEqual([true, true])
      expect(globs().anyFits([pattern], [file])).toBe(pattern === file)
    })
  )
})
