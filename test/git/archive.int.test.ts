import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs"
import { readFile, readlink } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { Effect, Fiber } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { makeArchives } from "#src/git/Archives.ts"
import { type ArchiveFormat, archiveContentType, archiveFormat, archiveName } from "#src/git/archiveNames.ts"
import type { ArchiveRequest } from "#src/git/archiveWriter.ts"
import { emptyRepository, type GitFixture } from "#test/support/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
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

const archives = (atOnce = 2) => Effect.runSync(makeArchives({ folder: join(folder(), "spools"), atOnce }))
const request = (more: Partial<ArchiveRequest> = {}): ArchiveRequest => ({ commit, format: "tar", top: "p-main", ...more })
const open = (more: Partial<ArchiveRequest> = {}, from = archives()) =>
  Effect.runPromise(from.open(fixture.repository, request(more)))
const bytes = async (more: Partial<ArchiveRequest> = {}) => buffer(await open(more))

/** Files below a folder with their content; links with their target, folders that are empty with a slash. */
const contents = (at: string, prefix = ""): Record<string, string> => {
  const entries = readdirSync(join(at, prefix), { withFileTypes: true })
  if (entries.length === 0) return { [`${prefix}/`]: "" }
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`
      if (entry.isDirectory()) return contents(at, path)
      if (entry.isSymbolicLink()) return { [path]: `-> ${readlinkSync(join(at, path))}` }
      return { [path]: readFileSync(join(at, path), "latin1") }
    })
  )
}

const has = (program: string) => spawnSync(program, ["--help"]).error === undefined
const unpackers: Readonly<
  Record<ArchiveFormat, { readonly needs: ReadonlyArray<string>; readonly args: (file: string) => ReadonlyArray<string> }>
> = {
  tar: { needs: ["tar"], args: (file) => ["tar", "-xf", file] },
  "tar.gz": { needs: ["tar", "gzip"], args: (file) => ["tar", "-xzf", file] },
  "tar.bz2": { needs: ["tar", "bunzip2"], args: (file) => ["tar", "-xjf", file] },
  zip: { needs: ["unzip"], args: (file) => ["unzip", "-q", file] }
}
let unpacked = 0
const unpack = (format: ArchiveFormat, archive: Buffer): Record<string, string> => {
  const at = join(folder(), `unpacked-${unpacked++}`)
  mkdirSync(at)
  writeFileSync(`${at}.file`, archive)
  const [program = "", ...args] = unpackers[format].args(`${at}.file`)
  execFileSync(program, args, { cwd: at, env: { ...process.env, LC_ALL: "C.UTF-8" } })
  return contents(at)
}

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
  for (const format of ["tar", "tar.gz", "tar.bz2", "zip"] as const) {
    it.skipIf(!unpackers[format].needs.every(has))(`of everything as ${format}`, async () => {
      expect(unpack(format, await bytes({ format }))).toEqual(whole())
    })
  }

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
    const files = Object.keys(unpack("tar", await bytes(more)))
    const left = Object.keys(whole()).filter((path) => !/src|noise|c\.txt/.test(path))
    expect(files.filter((path) => !path.endsWith("docs/")).sort()).toEqual((expected ?? left).sort())
  })

  it.each([
    ["an unknown path", { path: "nothing" }],
    ["a pattern", { path: "src/*" }],
    ["a path outside", { path: "../x" }],
    ["an absolute path", { path: "/etc" }],
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

/** Processes of git that work on the repository. */
const processes = async () => {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")))
  return lines.filter((line) => line.includes("\0archive\0") && line.includes(fixture.repository.path)).length
}
/** Spools that this process holds open, though they have no name. */
const spools = async () => {
  const links = await Promise.all(readdirSync("/proc/self/fd").map((id) => readlink(`/proc/self/fd/${id}`).catch(() => "")))
  return links.filter((link) => link.includes(join(folder(), "spools"))).length
}
const until = async (holds: () => Promise<boolean>) => {
  for (let left = 500; left > 0 && !(await holds()); left--) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(await holds()).toBe(true)
}
const onLinux = process.platform === "linux"

describe("archives at the same time", () => {
  it.skipIf(!onLinux)("share one process and one file", async () => {
    const shared = archives()
    const readers = await Promise.all(Array.from({ length: 10 }, () => open({ format: "tar.gz" }, shared)))
    expect([(await processes()) <= 1, await spools()]).toEqual([true, 1])
    const all = await Promise.all(readers.map((reader) => buffer(reader)))
    expect(new Set(all.map((archive) => archive.toString("base64"))).size).toBe(1)
    await until(async () => (await spools()) === 0)
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

  it.skipIf(!onLinux)("end with the last reader, and leave no process and no file", async () => {
    const shared = archives()
    for (const format of ["tar", "tar.gz", "tar.bz2", "zip"] as const) {
      const readers: ReadonlyArray<Readable> = [await open({ format }, shared), await open({ format }, shared)]
      for (const reader of readers) reader.destroy()
      await until(async () => (await processes()) + (await spools()) === 0)
    }
  })

  it.skipIf(!onLinux)("wait for a turn, which those who leave give up", async () => {
    const blocked = archives(0)
    const waiting = await Effect.runPromise(
      Effect.gen(function* () {
        const one = yield* Effect.forkChild(blocked.open(fixture.repository, request()))
        const two = yield* Effect.forkChild(blocked.open(fixture.repository, request({ format: "zip" })))
        yield* Effect.promise(() => until(async () => (await spools()) === 2))
        const running = yield* Effect.promise(processes)
        yield* Fiber.interrupt(one)
        yield* Fiber.interrupt(two)
        return running
      })
    )
    expect(waiting).toBe(0)
    await until(async () => (await spools()) === 0)
  })

  it.skipIf(!onLinux)(
    "fifty different ones run two at a time",
    async () => {
      const limited = archives(2)
      let most = 0
      let isDone = false
      const watch = async () => {
        while (!isDone) {
          most = Math.max(most, await processes())
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
      const watching = watch()
      const all = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => buffer(await open({ top: `p-${index}` }, limited)))
      )
      isDone = true
      await watching
      expect(new Set(all.map(({ length }) => length)).size).toBe(1)
      expect([1, 2]).toContain(most)
    },
    30_000
  )

  it("break when they grow beyond the limit", async () => {
    const { open: openLimited } = Effect.runSync(makeArchives({ folder: join(folder(), "spools"), atOnce: 1, limit: 100_000 }))
    const reader = await Effect.runPromise(openLimited(fixture.repository, request()))
    await expect(buffer(reader)).rejects.toThrow("The archive broke off")
    await until(async () => !onLinux || (await processes()) + (await spools()) === 0)
  })

  it("fail when the folder cannot be made", async () => {
    writeFileSync(join(folder(), "file"), "")
    const { open: openNowhere } = Effect.runSync(makeArchives({ folder: join(folder(), "file"), atOnce: 1 }))
    await expect(Effect.runPromise(openNowhere(fixture.repository, request()))).rejects.toThrow("EEXIST")
  })

  it("keep their folder from everybody else", async () => {
    await bytes()
    expect(statSync(join(folder(), "spools")).mode & 0o077).toBe(0)
  })
})
