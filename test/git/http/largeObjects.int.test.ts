import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { deltaPack, repeatingPack } from "#test/support/git/deltaPack.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { refLines, succeed, WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"

const folder = temporaryFolder()
const mebibyte = 1024 * 1024
let service: GitService

beforeAll(async () => {
  service = await startGitService(folder())
  await service.create(1)
})
afterAll(() => service.stop())

const pkt = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text
const refs = () => succeed(`--git-dir=${service.repository(1).path}`, "for-each-ref", "--format=%(refname)")

const pushPack = async (ref: string, { commit, pack }: ReturnType<typeof deltaPack>) => {
  const command = pkt(`${"0".repeat(40)} ${commit} ${ref}\0 report-status side-band-64k`)
  const answer = await fetch(`${service.url}/group/1.git/git-receive-pack`, {
    method: "POST",
    headers: { "content-type": "application/x-git-receive-pack-request" },
    body: new Uint8Array(Buffer.concat([Buffer.from(`${command}0000`), pack]))
  })
  return answer.text()
}

describe("a push of a delta of a large file", () => {
  it("is refused before that is in memory", async () => {
    const sent = deltaPack(400 * mebibyte)
    expect(sent.pack.length).toBeLessThan(500_000)
    const text = await pushPack("refs/heads/large", sent)
    expect(text).toContain(`fatal: attempting to allocate ${400 * mebibyte + 1} over limit ${128 * mebibyte}`)
    expect(text).toContain("An object of the push takes more than 128 MiB of memory.")
    expect(text).toContain("ng refs/heads/large unpacker error")
    expect(await refs()).toBe("")
  })

  it("is taken where the file is small", async () => {
    expect(await pushPack("refs/heads/small", deltaPack(mebibyte))).toContain("ok refs/heads/small")
  })
})

describe("a push of many differences that make large files", () => {
  /** Bytes of all objects of the repository, and how many lie in files of their own. */
  const stored = async () => {
    const lines = await succeed(`--git-dir=${service.repository(1).path}`, "count-objects", "-v")
    const {
      count = 0,
      size = 0,
      "size-pack": packed = 0
    } = Object.fromEntries(lines.split("\n").map((line) => [line.split(": ")[0], Number(line.split(": ")[1])]))
    return { loose: count, kibibytes: size + packed }
  }

  it.each([
    ["short, so that all of it is there before git begins", 48 * 1024],
    ["longer", 160 * 1024]
  ])("takes no more of the disk than was sent: %s", async (_, length) => {
    const before = await stored()
    const sent = repeatingPack(randomBytes(length), 20, 4 * mebibyte)
    expect(await pushPack(`refs/heads/many-${length}`, sent)).toContain(`ok refs/heads/many-${length}`)
    const after = await stored()
    expect(after.loose).toBe(before.loose)
    expect(after.kibibytes - before.kibibytes).toBeLessThan(512)
  })

  it("leaves small files on their own", async () => {
    const before = await stored()
    const sent = repeatingPack(randomBytes(32 * 1024), 3, 0x8000)
    expect(await pushPack("refs/heads/few", sent)).toContain("ok refs/heads/few")
    expect((await stored()).loose - before.loose).toBe(6)
  })
})

describe("a file of 300 MiB", () => {
  it("is taken whole", async () => {
    const copy = await WorkingCopy.make(join(folder(), "copy"), `${service.url}/group/1.git`)
    const commit = await copy.commit(300 * mebibyte)
    expect(refLines(await copy.attempt("push", "origin", "main"))).toEqual(["* [new branch] main -> main"])
    expect(await succeed(`--git-dir=${service.repository(1).path}`, "rev-parse", "main")).toBe(commit)
  })
})
