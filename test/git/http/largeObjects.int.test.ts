import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { deltaPack } from "#test/support/git/deltaPack.ts"
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

describe("a file of 300 MiB", () => {
  it("is taken whole", async () => {
    const copy = await WorkingCopy.make(join(folder(), "copy"), `${service.url}/group/1.git`)
    const commit = await copy.commit(300 * mebibyte)
    expect(refLines(await copy.attempt("push", "origin", "main"))).toEqual(["* [new branch] main -> main"])
    expect(await succeed(`--git-dir=${service.repository(1).path}`, "rev-parse", "main")).toBe(commit)
  })
})
