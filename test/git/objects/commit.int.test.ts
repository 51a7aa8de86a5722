import { Effect, Layer } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { mergeBases } from "#src/git/history/mergeBase.ts"
import { parseTag, readTag } from "#src/git/objects/annotatedTag.ts"
import { parseCommit, readAbridged, readCommit, readCommits } from "#src/git/objects/commit.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { formatSignature, isoTime, parseSignature } from "#src/git/objects/signature.ts"
import type { GitFailed } from "#src/git/Repository.ts"
import { formatCommit, writeTag } from "#src/git/write/writeCommit.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()

const fields = ["%H", "%T", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B"]
/** As `git log` shows a commit. */
const shownByGit = (id: string) =>
  standard()
    .git(["log", "-1", "--encoding=UTF-8", `--format=${fields.join("%x00")}`, id])
    .split("\0")
    .map((it) => it.trimEnd())

describe("a commit", () => {
  it("is read as git shows it", async () => {
    const { signedTag, ...ids } = standard().ids
    const commits = await withObjects(readCommits(standard().repository, Object.values(ids)))
    expect(commits.map(({ id }) => id)).toEqual(Object.values(ids))
    for (const { author, committer, id, message, parents, tree } of commits) {
      const shown = [id, tree, parents.join(" "), author.name, author.email, `${author.seconds}`]
      expect([...shown, committer.name, committer.email, `${committer.seconds}`, message.trimEnd()]).toEqual(shownByGit(id))
    }
  })

  it("keeps the offsets, and is decoded from its encoding", async () => {
    const { ids, repository } = standard()
    const topic = await withObjects(readCommit(repository, ids.topicA))
    expect(topic?.author).toEqual({ name: "Zoë Ünal", email: "zoe@example.com", seconds: 1_690_000_000, offset: "-0330" })
    expect(topic && isoTime(topic.author)).toBe("2023-07-22T00:56:40.000-03:30")
    const latin = await withObjects(readCommit(repository, ids.latin))
    expect([latin?.author.name, latin?.message]).toEqual(["René", "Café\n\nnaïve\n"])
    expect(latin && isoTime(latin.author)).toBe("2023-11-15T10:58:20.000+12:45")
  })

  it("is undefined where there is none, or something else", async () => {
    const { git, ids, repository } = standard()
    expect(await withObjects(readCommit(repository, "0".repeat(40)))).toBe(undefined)
    expect(await withObjects(readCommit(repository, git(["rev-parse", `${ids.head}^{tree}`])))).toBe(undefined)
  })

  it("may have a signature, unknown headers, broken people, an unknown encoding, or no message", () => {
    const tree = "1".repeat(40)
    const signed = parseCommit(
      "x",
      Buffer.from(
        `tree ${tree}\nauthor A <a> 1 +0000\ncommitter B <b> 2 -0100\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\nHG:extra something\nmergetag object 1\n type commit\n\nTitle\n\nBody\n`
      )
    )
    expect(signed.gpgSignature).toBe("-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----")
    expect(signed.message).toBe("Title\n\nBody\n")
    const broken = parseCommit("x", Buffer.from(`tree ${tree}\nauthor nobody\ncommitter B <b>\nencoding klingon\n\ncaf\u00e9`))
    expect(broken.author).toEqual({ name: "nobody", email: "", seconds: 0, offset: "+0000" })
    expect([broken.committer.name, broken.committer.email, broken.committer.seconds, broken.message]).toEqual([
      "B",
      "b",
      0,
      "café"
    ])
    expect(parseCommit("x", Buffer.from(`tree ${tree}\nauthor A <a> 1 +0000\ncommitter B <b> 2 +0000\n\n`)).message).toBe("")
    expect(parseCommit("x", Buffer.from(`tree ${tree}\nauthor A <a> 1 +0000\ncommitter B <b> 2 +0000`)).message).toBe("")
    expect(
      parseCommit(
        "x",
        Buffer.concat([Buffer.from(`tree ${tree}\nauthor Ren`), Buffer.from([0xe9]), Buffer.from(" <a> 1 +0000\n\nx")])
      ).author.name
    ).toBe("René")
  })

  it("is written as it is read", () => {
    const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    const signature = fc.record({
      name: names,
      email: names,
      seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
      offset: fc.constantFrom("+0000", "-0330", "+1245")
    })
    const draft = fc.record({
      tree: fc.constant("1".repeat(40)),
      parents: fc.array(fc.constant("2".repeat(40)), { maxLength: 3 }),
      author: signature,
      committer: signature,
      message: fc.string({ unit: "grapheme" })
    })
    fc.assert(
      fc.property(draft, (it) => {
        const { author, committer, ...rest } = parseCommit("x", formatCommit(it))
        expect(rest).toEqual({ id: "x", tree: it.tree, parents: it.parents, message: it.message.replaceAll("\0", "") })
        expect(formatSignature(author)).toBe(formatSignature(it.author))
        expect(formatSignature(committer)).toBe(formatSignature(it.committer))
      })
    )
  })
})

describe("a hostile object", () => {
  const long = 1_000_000
  const tree = "1".repeat(40)

  it("takes no time to be read, whatever its lines", () => {
    const folded = Buffer.from(`tree ${tree}\ngpgsig x\n${" \n".repeat(long)}\nTitle`)
    expect(parseCommit("x", folded)).toMatchObject({ tree, message: "Title" })
    const many = Buffer.from(`tree ${tree}\n${"x y\n".repeat(long)}\nTitle`)
    expect(parseCommit("x", many)).toMatchObject({ tree, message: "Title" })
    const text = `${"\n".repeat(long)}x`
    expect(parseTag("x", Buffer.from(`object ${tree}\n\n${text}\n\n`)).message).toBe(text)
  })

  it("takes no time to be written", async () => {
    const { ids, repository } = standard()
    const message = `${"\n".repeat(long)}x`
    const tag = { name: "long", target: ids.head, tagger: parseSignature("A <a> 1 +0000"), message }
    const id = await Effect.runPromise(writeTag(repository, { ...tag, message: message.slice(-1_000) }))
    expect((await withObjects(readTag(repository, id)))?.message).toBe(message.slice(-1_000))
    expect(await Effect.runPromise(writeTag(repository, tag))).toMatch(/^[0-9a-f]{40}$/)
  })

  it("that is too large is not read, and no many that are too large together", async () => {
    const { git, ids, repository } = standard()
    const text = "x".repeat(900_000)
    const commit = (message: string) => git(["commit-tree", "-p", ids.first, `${ids.first}^{tree}`], message)
    const [large, larger] = [commit(text), commit(text + text)]
    const failing = (effect: Effect.Effect<unknown, GitFailed, Objects>) =>
      withObjects(Effect.map(Effect.flip(effect), ({ exceeded }) => exceeded))
    expect((await withObjects(readCommit(repository, large)))?.message).toBe(text)
    expect([
      await failing(readCommit(repository, larger)),
      await failing(readCommits(repository, Array(80).fill(large)))
    ]).toEqual(["output", "output"])
    const abridged = await withObjects(readAbridged(repository, [larger, ids.latin, ...Array(80).fill(large)], 5))
    expect(abridged.map(({ message, name }) => [name, message]).slice(0, 2)).toEqual([
      ["René", "Café\n"],
      [expect.any(String), "xxxxx"]
    ])
    expect(abridged).toHaveLength(81)
    git(["commit-graph", "write", "--stdin-commits", "--split"], `${ids.head}\n`)
    const bases = mergeBases(repository, [larger, ids.head])
    expect(await Effect.runPromise(Effect.provide(bases, Layer.merge(Objects.layer, CommitGraphs.layer)))).toEqual([ids.first])
  })
})

describe("a signature", () => {
  it.each([
    ["Ann <ann@x> 1700000000 +0200", "Ann", "ann@x", 1_700_000_000, "+0200"],
    [" Ann  <ann@x> 5 -0000 ", "Ann", "ann@x", 5, "-0000"],
    ["<ann@x> 5 +0000", "", "ann@x", 5, "+0000"],
    ["Ann <> 5 +0000", "Ann", "", 5, "+0000"],
    ["Ann <a> <b> 5 +0000", "Ann", "a", 5, "+0000"],
    ["Ann <a> never", "Ann", "a", 0, "+0000"],
    ["Ann <a> 99999999999999999999 +0000", "Ann", "a", 0, "+0000"],
    ["", "", "", 0, "+0000"]
  ])("%j", (line, name, email, seconds, offset) => {
    expect(parseSignature(line)).toEqual({ name, email, seconds, offset })
  })

  it("cannot end early or add lines", () => {
    const signature = { name: "A <b>\ncommitter x\0", email: "c> 1 +0000\n\nd", seconds: 7, offset: "+0000" }
    expect(formatSignature(signature)).toBe("A bcommitter x <c 1 +0000d> 7 +0000")
    expect(formatSignature({ name: ' ."Ann, Jr."; ', email: "<a@b>", seconds: 7, offset: "+0000" })).toBe("Ann, Jr <a@b> 7 +0000")
  })

  it.each([
    [0, "+0000", "1970-01-01T00:00:00.000+00:00"],
    [1_709_022_420, "+0200", "2024-02-27T10:27:00.000+02:00"],
    [1_709_022_420, "-0330", "2024-02-27T04:57:00.000-03:30"],
    [1_709_022_420, "-0030", "2024-02-27T07:57:00.000-00:30"],
    [1_709_022_420, "+9999", "2024-02-27T08:27:00.000+00:00"],
    [9_007_199_254_740_991, "+0000", "1970-01-01T00:00:00.000+00:00"]
  ])("%d %s is %s", (seconds, offset, expected) => {
    expect(isoTime({ seconds, offset })).toBe(expected)
  })
})

describe("a tag object", () => {
  it("has a tagger, a message and perhaps a signature", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, repository } = standard()
        const id = git(["rev-parse", "v1.0.0"])
        expect(yield* readTag(repository, id)).toEqual({
          id,
          name: "v1.0.0",
          target: ids.second,
          targetType: "commit",
          tagger: { name: "Carl Committer", email: "carl@example.com", seconds: 1_700_000_100, offset: "-0330" },
          message: "Version 1\n\nWith a body"
        })
        const signed = yield* readTag(repository, ids.signedTag)
        expect(signed?.message).toBe("Signed")
        expect(signed?.gpgSignature).toBe("-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n")
        expect((yield* readTag(repository, git(["rev-parse", "nested"])))?.targetType).toBe("tag")
        expect(yield* readTag(repository, ids.second)).toBe(undefined)
      })
    ))
})
