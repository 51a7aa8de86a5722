import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { DiffParser, type Patch } from "#src/git/diff/parser.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let output: Buffer
beforeAll(() => {
  const { commits, gitBytes } = emptyRepository(`${folder()}/parser.git`)
  const { after, first } = commits([
    {
      mark: "first",
      parents: [],
      files: { a: "1\n2\n", b: "\0", c: "x", "d\n": "x\n", long: "y".repeat(300), r: "1\n2\n3\n4\n" }
    },
    {
      mark: "after",
      files: {
        a: "1\n3\n",
        b: "\0\0",
        c: { mode: "120000", content: "diff --git " },
        "d\n": null,
        long: "diff --git ".repeat(40),
        r: null,
        s: "1\n2\n3\n4\n",
        t: ""
      }
    }
  ])
  const format = ["--raw", "-z", "--no-abbrev", "--patch", "--full-index"]
  output = gitBytes(["diff-tree", "-r", "--find-renames=30%", ...format, first, after])
})

const parse = (pieces: ReadonlyArray<Buffer>, keep = 10_000): ReadonlyArray<Patch> => {
  const parser = new DiffParser(keep)
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
}

describe("DiffParser", () => {
  it("reads the same however the output is cut", () => {
    const whole = parse([output])
    expect(whole.map(({ newPath }) => newPath)).toEqual(["a", "b", "c", "c", "d\n", "long", "s", "t"])
    expect(whole.map(({ lines }) => lines)).toEqual([3, 1, 2, 2, 1, 4, 0, 0])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
        const pieces: Array<Buffer> = []
        for (let from = 0, next = 0; from < output.length; next++) {
          const to = from + (sizes[next % sizes.length] ?? 1)
          pieces.push(output.subarray(from, to))
          from = to
        }
        expect(parse(pieces)).toEqual(whole)
      }),
      { numRuns: 200 }
    )
  })

  it("gives each patch as soon as the next one begins, and knows the number of all from the list", () => {
    const parser = new DiffParser(10_000)
    const second = output.indexOf("diff --git a/b")
    expect(parser.push(output.subarray(0, second))).toHaveLength(0)
    expect(parser.total).toBe(8)
    expect(parser.push(output.subarray(second, second + 20)).map(({ newPath }) => newPath)).toEqual(["a"])
  })

  it("holds nothing of a patch that is longer than what is kept, yet counts it", () => {
    const [all, some] = [parse([output]), parse([output], 100)]
    expect(some.map(({ bytes, lines }) => [bytes, lines])).toEqual(all.map(({ bytes, lines }) => [bytes, lines]))
    for (const { bytes, text } of some) expect(text.length).toBe(bytes <= 100 ? bytes : 0)
  })

  it("holds no more of the list than it should, yet counts it", () => {
    for (const most of [1, 3, 8]) {
      const parser = new DiffParser(10_000, most)
      expect([...parser.push(output), ...parser.end()]).toEqual(parse([output]).slice(0, most === 3 ? 4 : most))
      expect(parser.total).toBe(8)
    }
  })

  it("reads nothing from nothing", () => {
    expect(parse([])).toEqual([])
  })
})
