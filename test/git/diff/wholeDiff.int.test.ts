import { buffer } from "node:stream/consumers"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { diff } from "#src/git/diff/diff.ts"
import type { DiffEntry } from "#src/git/diff/entry.ts"
import { noLimits } from "#src/git/diff/limits.ts"
import { type WriteEntries, wholeDiff } from "#src/git/diff/wholeDiff.ts"
import { emptyTreeId } from "#src/git/objectId.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

/** The entries as JSON, a line each. */
const asLines: WriteEntries = async function* (entries) {
  for await (const { entry, text } of entries) {
    const pieces = [...text]
    yield `${JSON.stringify({ ...entry, diff: pieces.join("") })}\n`
    longest = Math.max(longest, ...pieces.map(({ length }) => length))
  }
}
let longest = 0

const streamed = async ({ repository }: GitFixture, ends: Parameters<typeof wholeDiff>[1]) => {
  longest = 0
  const program = Effect.flatMap(wholeDiff(repository, ends, asLines), ({ content, end }) =>
    Effect.andThen(
      Effect.promise(() => buffer(content)),
      (lines) => Effect.as(end, lines.toString())
    )
  )
  const lines = await Effect.runPromise(program)
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line): DiffEntry => JSON.parse(line))
}

const latin = Buffer.from("caf\u{e9} au lait\n", "latin1")
const line = (text: string, count: number) => `${text}\n`.repeat(count)

describe("a whole difference that is written down as it comes", () => {
  it("has the entries and texts of one that is read at once, in pieces of a few lines", async () => {
    const fixture = emptyRepository(`${folder()}/same.git`)
    const files = {
      "binary-late": `${line("text", 4_000)}\0${line("text", 10)}`,
      binary: "\0\u0001\0",
      empty: "",
      gone: "gone\n",
      "invalid.txt": Buffer.concat([Buffer.from(line("valid \u{fc}", 20_000)), latin, Buffer.from(line("valid \u{fc}", 20_000))]),
      "moved.txt": line("the same", 30),
      "no-end.txt": "no end",
      "wide.txt": `${"\u{1f600}".repeat(60_000)}\n${line("short", 30_000)}`
    }
    const { one, two } = fixture.commits([
      { mark: "one", files: { gone: files.gone, "moved.txt": files["moved.txt"], "mode.sh": "x\n" } },
      { mark: "two", files: { ...files, gone: null, "moved.txt": null, "moved/here.txt": files["moved.txt"] } }
    ])
    for (const ends of [
      { from: emptyTreeId, to: two },
      { from: one, to: two },
      { from: two, to: one }
    ]) {
      const { entries } = await Effect.runPromise(diff(fixture.repository, { ...ends, limits: noLimits }))
      expect(entries.length).toBeGreaterThan(5)
      expect(await streamed(fixture, ends)).toEqual(JSON.parse(JSON.stringify(entries)))
    }
    // The longest line, and what follows it.
    expect(longest).toBeLessThan(200_000)
  })

  it("is empty where nothing differs", async () => {
    const fixture = emptyRepository(`${folder()}/equal.git`)
    const { one } = fixture.commits([{ mark: "one", files: { a: "a\n" } }])
    expect(await streamed(fixture, { from: one, to: one })).toEqual([])
  })

  it("leaves out texts that are too large, and what comes behind all that may be shown", async () => {
    const fixture = emptyRepository(`${folder()}/large.git`)
    const limits = { ...noLimits, patchBytes: 2_000, hard: { ...noLimits.hard, bytes: 3_500 } }
    const { one } = fixture.commits([
      { mark: "one", files: { a: line("a", 1_000), b: line("b", 500), c: line("c", 500), d: line("d", 500), e: "e\n" } }
    ])
    const entries = await streamed(fixture, { from: emptyTreeId, to: one, limits })
    expect(entries.map(({ diff: text, isTooLarge, newPath }) => [newPath, isTooLarge, text.length])).toEqual([
      ["a", true, 0],
      ["b", false, 1_518],
      ["c", false, 1_518]
    ])
  })
})
