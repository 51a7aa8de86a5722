import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { Effect, Fiber } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { makeArchives } from "#src/git/archive/Archives.ts"
import { archiveContentType, archiveFormat, archiveName } from "#src/git/archive/names.ts"
import type { ArchiveRequest } from "#src/git/archive/writer.ts"
import { Spool } from "#src/git/process/spool.ts"
import { reasonOf } from "#src/platform/logging/unavailable.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { type Archive, leavesOf, unpack } from "#test/support/git/unpack.ts"
import { runWithPlaces } from "#test/support/places.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"

const folder = temporaryFolder()
const processes = useProcesses()
const opened = vi.spyOn(Spool, "create")
const closed = vi.spyOn(Spool.prototype, "close")
afterAll(() => {
  opened.mockRestore()
  closed.mockRestore()
})
let fixture: GitFixture
let commit: string

/** Bytes that compression finds nothing in. */
const noise = (length: number) => {
  let state = 1
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 24
    })
  )
}

beforeAll(() => {
  fixture = emptyRepository(`${folder()}/archive.git`)
  const made = fixture.commits([
    {
      mark: "tip",
      files: {
        "README.md": "# hello\n",
        "src/a.txt": "a\n",
        "src/deep/b.txt": "b\n",
        "src/deep/ü *[x].txt": "odd\n",
        "docs/c.txt": "c\n",
        "run.sh": { mode: "100755", content: "#!/bin/sh\n" },
        link: { mode: "120000", content: "README.md" },
        sub: { commit: "0123456789abcdef0123456789abcdef01234567" },
        "hidden.txt": "not here\n",
        "version.txt": "$Format:%H$\n",
        ".gitattributes": "hidden.txt export-ignore\nversion.txt export-subst\n",
        "noise.bin": noise(2_000_000)
      }
    }
  ])
  commit = made.tip
})

const archives = () => makeArchives({ folder: join(folder(), "spools") })
const request = (more: Partial<ArchiveRequest> = {}): ArchiveRequest => ({ commit, format: "tar", top: "p-main", ...more })
const open = (more: Partial<ArchiveRequest> = {}, from = archives()) =>
  Effect.runPromise(from.open(fixture.repository, request(more)))
const bytes = async (more: Partial<ArchiveRequest> = {}) => buffer(await open(more))

/** Files with their content; links with their target; directories in which nothing is. */
const contents = (archive: Archive): Record<string, string> =>
  Object.fromEntries(
    leavesOf(archive).map(({ content, mode, path }) => [path, mode.startsWith("120") ? `-> ${content}` : content])
  )

const whole = () => ({
  "p-main/README.md": "# hello\n",
  "p-main/src/a.txt": "a\n",
  "p-main/src/deep/b.txt": "b\n",
  "p-main/src/deep/ü *[x].txt": "odd\n",
  "p-main/docs/c.txt": "c\n",
  "p-main/run.sh": "#!/bin/sh\n",
  "p-main/link": "-> README.md",
  "p-main/sub/": "",
  "p-main/version.txt": `${commit}\n`,
  "p-main/.gitattributes": "hidden.txt export-ignore\nversion.txt export-subst\n",
  "p-main/noise.bin": noise(2_000_000).toString("latin1")
})

describe("archive", () => {
  it.each(["tar", "tar.gz", "tar.bz2", "zip"] as const)("of everything as %s", async (format) => {
    const archive = await unpack(format, await bytes({ format }))
    expect(contents(archive)).toEqual(whole())
    const time = Number(fixture.git(["log", "-1", "--format=%ct", commit]))
    expect([archive.comment, new Set(archive.entries.map((entry) => entry.time))]).toEqual([commit, new Set([time])])
    const { mode } = archive.entries.find(({ path }) => path === "p-main/run.sh") ?? {}
    expect(mode).toBe(format === "zip" ? "100755" : "100775")
  })

  it("is that of git", async () => {
    const args = ["archive", "--format=tar", "--prefix=p-main/", commit]
    expect((await bytes()).equals(fixture.gitBytes(args))).toBe(true)
    expect(
      (await bytes({ format: "zip" })).equals(fixture.gitBytes(["archive", "--format=zip", "--prefix=p-main/", commit]))
    ).toBe(true)
  })

  it.each([
    ["a folder", { path: "src/deep" }, ["p-main/src/deep/b.txt", "p-main/src/deep/ü *[x].txt"]],
    ["with a slash at its end", { path: "src/deep/" }, ["p-main/src/deep/b.txt", "p-main/src/deep/ü *[x].txt"]],
    ["a file like a pattern", { path: "src/deep/ü *[x].txt" }, ["p-main/src/deep/ü *[x].txt"]],
    ["a folder without a part", { path: "src", exclude: ["src/deep"] }, ["p-main/src/a.txt"]],
    ["without several", { exclude: ["src", "noise.bin", "docs/c.txt", "", "nothing"] }, undefined]
  ])("of %s", async (_name, more, expected) => {
    const files = Object.keys(contents(await unpack("tar", await bytes(more))))
    const left = Object.keys(whole()).filter((path) => !/src|noise|c\.txt/.test(path))
    expect(files.filter((path) => !path.endsWith("docs/")).sort()).toEqual((expected ?? left).sort())
  })

  it.each([
    ["an unknown path", { path: "nothing" }],
    ["a pattern", { path: "src/*" }],
    ["a path outside", { path: "../x" }],
    ["an absolute path", { path: "/etc" }],
    ["a path through here", { path: "./src" }],
    ["a path through a folder above", { path: "docs/../src" }],
    ["here", { path: "." }],
    ["magic", { path: ":(top)src" }],
    ["an option", { path: "--output=/tmp/x" }],
    ["an unknown commit", { commit: "f".repeat(40), format: "tar.gz" as const }]
  ])("fails before the first byte for %s", async (_name, more) => {
    const failed = await Effect.runPromise(Effect.flip(archives().open(fixture.repository, request(more))))
    expect(failed._tag).toBe("GitFailed")
  })
})

/** Source: archive, the naming rules. */
describe("archive names", () => {
  const sha = "a".repeat(40)
  it.each([
    [{ ref: "main" }, `proj-main-${sha}`],
    [{ ref: "feature/x/y" }, `proj-feature-x-y-${sha}`],
    [{ ref: sha }, `proj-${sha}-${sha}`],
    [{ ref: "main", path: "" }, `proj-main-${sha}-`],
    [{ ref: "main", path: "a/b/" }, `proj-main-${sha}-a-b-`]
  ])("%j", (naming, expected) => {
    expect(archiveName({ project: "proj", commit: sha, ...naming })).toBe(expected)
  })

  it("know all suffixes", () => {
    const known = ["zip", "tar", "tar.gz", "tgz", "gz", "tar.bz2", "tbz", "tbz2", "tb2", "bz2", "rar", "toString", ""].map(
      archiveFormat
    )
    const [gz, bz] = [Array(3).fill("tar.gz"), Array(5).fill("tar.bz2")]
    expect(known).toEqual(["zip", "tar", ...gz, ...bz, undefined, undefined, undefined])
    expect([archiveContentType("zip"), archiveContentType("tar.gz")]).toEqual(["application/zip", "application/octet-stream"])
  })
})

/** Processes of git that make archives. */
const running = () => processes.running("archive")
/** Spools that are open, though they have no name. */
const spools = () => opened.mock.calls.length - closed.mock.calls.length
const ended = () => until(() => running() + spools() === 0)

describe("archives at the same time", () => {
  beforeEach(processes.forget)

  it("share one process and one file", async () => {
    const shared = archives()
    const readers = await Promise.all(Array.from({ length: 10 }, () => open({ format: "tar.gz" }, shared)))
    expect([processes.started("archive"), spools()]).toEqual([1, 1])
    const all = await Promise.all(readers.map((reader) => buffer(reader)))
    expect(new Set(all.map((archive) => archive.toString("base64"))).size).toBe(1)
    await ended()
    expect(readdirSync(join(folder(), "spools"))).toEqual([])
  })

  it("let one who comes late or leaves early read on", async () => {
    const shared = archives()
    const [first, second] = [await open({}, shared), await open({}, shared)]
    await new Promise((resolve) => second.once("data", resolve))
    const third = await open({}, shared)
    second.destroy()
    const [one, other] = await Promise.all([buffer(first), buffer(third)])
    expect(one.equals(other)).toBe(true)
    expect(one.length).toBeGreaterThan(2_000_000)
  })

  it("end with the last reader, and leave no process and no file", async () => {
    const shared = archives()
    for (const format of ["tar", "tar.gz", "tar.bz2", "zip"] as const) {
      const readers: ReadonlyArray<Readable> = [await open({ format }, shared), await open({ format }, shared)]
      for (const reader of readers) reader.destroy()
      await ended()
    }
  })

  it("wait for a turn, which those who leave give up", async () => {
    const blocked = archives()
    await runWithPlaces(0)(
      Effect.gen(function* () {
        const one = yield* Effect.forkChild(blocked.open(fixture.repository, request()))
        const two = yield* Effect.forkChild(blocked.open(fixture.repository, request({ format: "zip" })))
        yield* Effect.yieldNow
        // Who waits has no file open.
        expect(spools()).toBe(0)
        yield* Fiber.interrupt(one)
        yield* Fiber.interrupt(two)
      })
    )
    await ended()
    expect(processes.started("archive")).toBe(0)
  })

  it("fifty different ones run two at a time", async () => {
    const runTwo = runWithPlaces(2)
    const limited = archives()
    const all = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        buffer(await runTwo(limited.open(fixture.repository, request({ top: `p-${index}` }))))
      )
    )
    expect(new Set(all.map(({ length }) => length)).size).toBe(1)
    expect([processes.started("archive"), processes.maxConcurrent("archive")]).toEqual([50, 2])
  })

  it("break when they grow beyond the limit", async () => {
    const { open: openLimited } = makeArchives({ folder: join(folder(), "spools"), limit: 100_000 })
    const reader = await Effect.runPromise(openLimited(fixture.repository, request()))
    await expect(buffer(reader)).rejects.toThrow("The archive broke off")
    await ended()
  })

  it("break when the disk would have too little space left, and do not begin when it has", async () => {
    const room = [10_000_000, 50_000]
    const spare = async () => room.shift() ?? 0
    const { open: openNarrow } = makeArchives({ folder: join(folder(), "spools"), spare })
    const enough = await Effect.runPromise(openNarrow(fixture.repository, request()))
    expect((await buffer(enough)).length).toBeGreaterThan(2_000_000)
    const begun = await Effect.runPromise(openNarrow(fixture.repository, request({ format: "zip" })))
    await expect(buffer(begun)).rejects.toThrow("The archive broke off")
    const failure = await Effect.runPromise(Effect.flip(openNarrow(fixture.repository, request({ format: "tar.gz" }))))
    expect([failure.exceeded, reasonOf(failure)]).toEqual(["space", "there is no space left for the answer"])
    await ended()
    expect(processes.started("archive")).toBe(2)
  })

  it("fail when the folder cannot be made", async () => {
    writeFileSync(join(folder(), "file"), "")
    const { open: openNowhere } = makeArchives({ folder: join(folder(), "file") })
    await expect(Effect.runPromise(openNowhere(fixture.repository, request()))).rejects.toThrow("EEXIST")
  })

  it("keep their folder from everybody else", async () => {
    await bytes()
    expect(statSync(join(folder(), "spools")).mode & 0o077).toBe(0)
  })
})
