import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { atOnce } from "#src/kernel/inSlices.ts"
import { matching, searched } from "#src/repositories/refs/search.ts"
import { inSlices } from "#test/changelog/samples.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ name }))
const refs = named("a", "ab", "B/c", "main", "main-2")
const found = (text: string | null | undefined) => Effect.runSync(searched(refs, text)).map(({ name }) => name)
const matched = (regex: string) => Result.map(atOnce(matching(refs, regex)), (all) => all.map(({ name }) => name))

describe("searched", () => {
  it.each([
    [undefined, ["a", "ab", "B/c", "main", "main-2"]],
    [null, ["a", "ab", "B/c", "main", "main-2"]],
    ["", ["a", "ab", "B/c", "main", "main-2"]],
    ["A", ["a", "ab", "main", "main-2"]],
    ["AB", ["ab"]],
    ["^b", ["B/c"]],
    ["N$", ["main"]],
    ["^", ["a", "ab", "B/c", "main", "main-2"]],
    ["*", ["a", "ab", "B/c", "main", "main-2"]],
    ["m*2", ["main-2"]],
    ["b*c", ["B/c"]],
    [".", []]
  ])("%j", (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it.each(["*", "a*", "a"])("takes no time to speak of for many %j among many names", async (text) => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `${"a".repeat(200)}${index}` }))
    const started = cpuMillis()
    expect(await Effect.runPromise(searched(many, text.repeat(16_000 / text.length)))).toHaveLength(
      text === "*" ? many.length : 0
    )
    expect(cpuMillis() - started).toBeLessThan(1000)
  })

  it("puts the exact name first", () => {
    expect(Effect.runSync(searched(named("x-main", "main-2", "Main"), "main")).map(({ name }) => name)).toEqual([
      "Main",
      "x-main",
      "main-2"
    ])
  })
})

describe("matching", () => {
  it.each([
    ["^a", ["a", "ab"]],
    ["\\d", ["main-2"]],
    ["(?i)b", ["ab", "B/c"]],
    ["x?", ["a", "ab", "B/c", "main", "main-2"]]
  ])("%j", (regex, expected) => {
    expect(matched(regex)).toEqual(Result.succeed(expected))
  })

  it.each(["(", "\\1", "(?=a)", "a".repeat(1001), "(?:a{1,900}){1,900}", "(a|aa|aaa){900}"])("refuses %j", (regex) => {
    expect(Result.isFailure(matched(regex))).toBe(true)
  })

  it("takes no time to speak of with an expression that other engines never finish", () => {
    const started = cpuMillis()
    expect(atOnce(matching(named("a".repeat(200)), "^(a+)+b$"))).toEqual(Result.succeed([]))
    expect(cpuMillis() - started).toBeLessThan(1000)
  })

  it("gives up on what takes too many steps, and lets others go on until then", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `${"a".repeat(200)}${index}` }))
    const { longest, pauses, value } = inSlices(matching(many, "a?".repeat(500)))
    expect(value).toEqual(Result.fail("too many steps"))
    expect(pauses).toBeGreaterThan(100)
    expect(longest).toBeLessThan(500)
  })
})
