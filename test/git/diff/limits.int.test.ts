import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { diff } from "#src/git/diff/diff.ts"
import { DiffGate, type DiffLimits, defaultLimits, noLimits } from "#src/git/diff/limits.ts"
import { emptyTreeId } from "#src/git/objectId.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"

const small: DiffLimits = {
  hard: { files: 5, lines: 100, bytes: 1000 },
  patchBytes: 500,
  collapse: { safe: { files: 3, lines: 20, bytes: 300 }, patchBytes: 200 },
  readBytes: 10_000
}
const expanded: DiffLimits = { ...small, collapse: null }
const patch = (bytes: number, lines = 1) => ({ bytes, lines })
const admitted = (limits: DiffLimits, patches: ReadonlyArray<{ readonly bytes: number; readonly lines: number }>) => {
  const gate = new DiffGate(limits)
  return patches.map((each) => gate.admit(each, patches.length === 1))
}

describe("DiffGate", () => {
  it.each([
    ["shows what is small", small, [patch(10), patch(10)], ["shown", "shown"]],
    ["collapses files behind the safe number", small, Array(4).fill(patch(10)), ["shown", "shown", "shown", "collapsed"]],
    ["but not those without text", small, Array(4).fill(patch(0, 0)), ["shown", "shown", "shown", "shown"]],
    ["collapses the file that brings too many lines", small, [patch(10, 15), patch(10, 6)], ["shown", "collapsed"]],
    ["reaching the safe lines is safe", small, [patch(10, 15), patch(10, 5)], ["shown", "shown"]],
    ["what collapsed counts for nothing", small, [patch(10, 15), patch(10, 6), patch(10, 5)], ["shown", "collapsed", "shown"]],
    ["collapses the file that brings too many bytes", small, [patch(190), patch(150)], ["shown", "collapsed"]],
    ["collapses a large patch among others", small, [patch(200), patch(10)], ["collapsed", "shown"]],
    ["a single one may be larger", small, [patch(299)], ["shown"]],
    ["a patch that is too large stays in the list", small, [patch(500), patch(10)], ["tooLarge", "shown"]],
    ["even alone", small, [patch(500)], ["tooLarge"]],
    ["cuts at more files than allowed", expanded, Array(6).fill(patch(10)), [...Array(5).fill("shown"), "cut"]],
    ["cuts where lines are reached", expanded, [patch(10, 99), patch(10, 1)], ["shown", "cut"]],
    ["and not before", expanded, [patch(10, 98), patch(10, 1)], ["shown", "shown"]],
    ["cuts where bytes are reached", expanded, [patch(499), patch(400), patch(101)], ["shown", "shown", "cut"]],
    ["cuts what costs too much to read", { ...expanded, readBytes: 600 }, [patch(500), patch(101)], ["tooLarge", "cut"]]
  ] as const)("%s", (_name, limits, patches, expected) => {
    expect(admitted(limits, patches)).toEqual(expected)
  })
})

describe("limits of a diff", () => {
  const folder = temporaryFolder()
  const processes = useProcesses()
  const of = async (name: string, files: Record<string, string>, limits?: DiffLimits) => {
    const { commits, repository } = emptyRepository(`${folder()}/${name}.git`)
    const { only } = commits([{ mark: "only", files }])
    return Effect.runPromise(diff(repository, { from: emptyTreeId, to: only, ...(limits === undefined ? {} : { limits }) }))
  }
  const numbered = (count: number, content: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(4, "0")}`, content]))

  it("ends the list at 1000 files and says so", async () => {
    const exactly = await of("thousand", numbered(1000, "a\n"))
    expect([exactly.entries.length, exactly.isOverflow]).toEqual([1000, false])
    expect(exactly.entries.map(({ isCollapsed }) => isCollapsed).indexOf(true)).toBe(100)
    const over = await of("more", numbered(1001, "a\n"))
    expect([over.entries.length, over.isOverflow]).toEqual([1000, true])
  })

  it("does not call collapsed or too large texts an overflow", async () => {
    const lines = "line\n".repeat(60_000)
    const { entries, isOverflow } = await of("collapsed", { a: "a\n", b: lines, c: "x".repeat(30_000), d: "a\n" })
    expect(isOverflow).toBe(false)
    expect(entries.map(({ diff: text }) => text)).toEqual(["@@ -0,0 +1 @@\n+a\n", "", "", "@@ -0,0 +1 @@\n+a\n"])
    expect(entries.map(({ isCollapsed, isTooLarge }) => [isCollapsed, isTooLarge])).toEqual([
      [false, false],
      [false, true],
      [true, false],
      [false, false]
    ])
    expect(entries[1]?.additions).toBe(60_000)
  })

  it("drops the file that reaches the lines of all, where nothing collapses", async () => {
    const limits = { ...defaultLimits, collapse: null }
    const { entries, isOverflow } = await of("lines", { a: "a\n".repeat(49_999), b: "a\n", c: "a\n" }, limits)
    expect([entries.map(({ newPath }) => newPath), isOverflow]).toEqual([["a"], true])
  })

  it("never holds one huge line", async () => {
    const { entries, isOverflow } = await of("line", { a: "x".repeat(40_000_000), b: "a\n" })
    expect(entries.map(({ bytes, isTooLarge, diff: text }) => [bytes > 40_000_000, isTooLarge, text])).toEqual([
      [true, true, ""],
      [false, false, "@@ -0,0 +1 @@\n+a\n"]
    ])
    expect(isOverflow).toBe(false)
  })

  it("stops reading where the list is cut", async () => {
    const limits = { ...defaultLimits, hard: { ...defaultLimits.hard, files: 1 } }
    const files = { ...numbered(2, "a\n"), ...Object.fromEntries([1, 2, 3].map((n) => [`z${n}`, `${n}\n`.repeat(2_000_000)])) }
    const whole = await of("stopped", files, limits)
    expect([whole.entries.length, whole.isOverflow]).toEqual([1, true])
  })

  it("ends git when the caller goes away", async () => {
    const { commits, repository } = emptyRepository(`${folder()}/left.git`)
    const { only } = commits([
      { mark: "only", files: Object.fromEntries([1, 2, 3, 4].map((n) => [`z${n}`, `${n}\n`.repeat(1_500_000)])) }
    ])
    await Effect.runPromise(
      Effect.gen(function* () {
        const reading = yield* Effect.forkChild(diff(repository, { from: emptyTreeId, to: only, limits: noLimits }))
        yield* Effect.promise(() => until(() => processes.running(only) === 1))
        yield* Fiber.interrupt(reading)
      })
    )
    await until(() => processes.running(only) === 0)
    expect(processes.started(only)).toBe(1)
  })
})
