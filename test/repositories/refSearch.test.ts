import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { matching, searched } from "#src/repositories/refSearch.ts"

const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ name }))
const refs = named("a", "ab", "B/c", "main", "main-2")
const found = (text: string | null | undefined) => searched(refs, text).map(({ name }) => name)
const matched = (regex: string) => Result.map(matching(refs, regex), (all) => all.map(({ name }) => name))

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

  it("puts the exact name first", () => {
    expect(searched(named("x-main", "main-2", "Main"), "main").map(({ name }) => name)).toEqual(["Main", "x-main", "main-2"])
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

  it.each(["(", "\\1", "(?=a)", "a".repeat(1001)])("refuses %j", (regex) => {
    expect(Result.isFailure(matched(regex))).toBe(true)
  })

  it("gives up on what takes too many steps", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `${"a".repeat(200)}${index}` }))
    expect(Result.isFailure(matching(many, "(a{0,50}){0,20}$"))).toBe(true)
  })
})
