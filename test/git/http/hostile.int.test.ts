import { readFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pushRefusals } from "#src/pushes/pushPolicy.ts"
import { packBomb } from "#test/support/git/packBomb.ts"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { succeed, WorkingCopy } from "./gitClient.ts"
import { everythingAllowed, type GitService, startGitService } from "./gitService.ts"
import { processesIn, processesNaming } from "./processes.ts"

const folder = temporaryFolder()
let service: GitService
const zero = "0".repeat(40)
const one = "1".repeat(40)

beforeAll(async () => {
  const limits = { maxFetchBytes: 1024 * 1024, maxPushHeadBytes: 100_000, maxPushPackBytes: 2 * 1024 * 1024 }
  service = await startGitService(folder(), limits)
  await service.create(1)
  const copy = await WorkingCopy.make(join(folder(), "copy"), `${service.url}/group/1.git`)
  await copy.git("push", "--quiet", "origin", "main")
})
afterAll(() => service.stop())

const ask = (method: string, target: string, headers = "") =>
  rawRequest(service.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

const call = async (program: string, body: Buffer | string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${service.url}/group/1.git/${program}`, {
    method: "POST",
    headers: { "content-type": `application/x-${program}-request`, ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body)
  })
  return { status: answer.status, text: await answer.text() }
}
const emptyPack = Buffer.concat([
  Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1"),
  Buffer.from("029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex")
])
const pkt = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text

it("a request whose packets name a commit-graph leaves that of the repository", async () => {
  const { path } = service.repository(1)
  await succeed(`--git-dir=${path}`, "commit-graph", "write", "--reachable", "--split")
  const chain = join(path, "objects/info/commit-graphs/commit-graph-chain")
  const before = readFileSync(chain)
  const { text } = await call("git-upload-pack", `${pkt("xcommit-graph")}0000`, { "git-protocol": "version=2" })
  expect([text, readFileSync(chain)]).toEqual([pkt("ERR The repository cannot be read.\n"), before])
})

describe("a path", () => {
  const query = "?service=git-upload-pack"
  it.each([
    `/group/../1.git/info/refs${query}`,
    `/group/..%2f1.git/info/refs${query}`,
    `/group/%2e%2e/%2e%2e/1.git/info/refs${query}`,
    `/group/1%00.git/info/refs${query}`,
    `/group/1%0a.git/info/refs${query}`,
    `/group%2F1.git/info/refs${query}`,
    `/group/--upload-pack=x.git/info/refs${query}`,
    `/-group/1.git/info/refs${query}`,
    `/group/${"n".repeat(4096)}.git/info/refs${query}`,
    `/${"g/".repeat(4096)}1.git/info/refs${query}`,
    `/group/1.git/../1.git/info/refs${query}`,
    "/group/1.git/HEAD",
    "/group/1.git/objects/info/packs",
    "/group/1.git/config",
    "/group/1.git/",
    "/group/1.git/info/refs/x"
  ])("that names nothing is not found: %s", async (target) => {
    const { body, headers, status } = await ask("GET", target)
    expect([status, headers["content-type"], body]).toEqual([404, "text/plain; charset=utf-8", "There is nothing here.\n"])
  })

  it.each([`/group/1\0.git/info/refs${query}`, `/group/1\n.git/info/refs${query}`, `/group/\xe9.git/info/refs${query}`])(
    "that is none is a bad request",
    async (target) => {
      expect((await ask("GET", target)).status).toBe(400)
    }
  )

  it.each(["a=b", "service=git-upload-archive", "service=", "service=git-upload-pack%00", "service=--x"])(
    "with the query %s asks for no service",
    async (text) => {
      const target = `/group/1.git/info/refs?${text}`
      const { body, status } = await ask("GET", target, `Authorization: Basic ${btoa("somebody:secret")}\r\n`)
      expect([status, body]).toEqual([403, expect.stringContaining("The command you're trying to execute is not allowed.")])
      expect((await ask("GET", target)).status).toBe(401)
    }
  )

  it("of large files and wikis says what is not there", async () => {
    const files = await ask("POST", "/group/1.git/info/lfs/objects/batch", "Content-Length: 0\r\n")
    expect([files.status, JSON.parse(files.body)]).toEqual([
      404,
      { message: "Large-file storage (Git LFS) is not part of this service." }
    ])
    const wiki = await ask("GET", `/group/1.wiki.git/info/refs${query}`)
    expect([wiki.status, wiki.body]).toEqual([404, "Wikis are not part of this service.\n"])
  })
})

describe("a body", () => {
  it.each(["git-upload-pack", "git-receive-pack"])("of the wrong type is refused by %s", async (program) => {
    const wrong = await call(program, "0000", { "content-type": "text/plain" })
    expect(wrong).toEqual({ status: 415, text: `The Content-Type of the request must be application/x-${program}-request.\n` })
    expect((await call(program, "0000", { "content-encoding": "br" })).status).toBe(415)
  })

  it.each(["git-upload-pack", "git-receive-pack"])("that is not packed as it says is refused by %s", async (program) => {
    expect((await call(program, "0000 this is not gzip", { "content-encoding": "gzip" })).status).toBe(400)
    // Before anything of it can be unpacked: otherwise git may object to what it got first.
    const cut = gzipSync(Buffer.alloc(100_000, "0032want 0123456789")).subarray(0, 12)
    expect((await call(program, cut, { "content-encoding": "gzip" })).status).toBe(400)
  })

  it.each(["git-upload-pack", "git-receive-pack"])("that unpacks to too much is refused by %s", async (program) => {
    const line = pkt(`${zero} ${one} refs/heads/${"x".repeat(100)}\n`)
    const wants = pkt(`want ${await succeed(`--git-dir=${service.repository(1).path}`, "rev-parse", "main")}\n`)
    const text = program === "git-upload-pack" ? wants.repeat(10_000_000 / wants.length) : line.repeat(100_000_000 / line.length)
    const before = process.memoryUsage.rss()
    expect((await call(program, gzipSync(text), { "content-encoding": "gzip" })).status).toBe(413)
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024)
  })

  it("that is no request of git gets an error that clients show", async () => {
    expect(await call("git-upload-pack", "nonsense")).toEqual({
      status: 200,
      text: pkt("ERR The repository cannot be read.\n")
    })
    expect(await call("git-receive-pack", "nonsense")).toEqual({
      status: 400,
      text: "The push is not in the form that git knows.\n"
    })
  })

  it("without anything is the question whether one may push", async () => {
    expect(await call("git-receive-pack", "0000")).toEqual({ status: 200, text: "" })
    expect(await call("git-receive-pack", "")).toEqual(expect.objectContaining({ status: 200 }))
  })

  it("that is announced is asked for", async () => {
    const got = await new Promise<string>((resolve, reject) => {
      const outgoing = httpRequest(`${service.url}/group/1.git/git-upload-pack`, {
        method: "POST",
        headers: { "content-type": "application/x-git-upload-pack-request", "git-protocol": "version=2", expect: "100-continue" }
      })
      outgoing.on("continue", () => outgoing.end("0014command=ls-refs\n00010000"))
      outgoing.on("response", async (answer) => resolve(String((await answer.toArray()).join(""))))
      outgoing.on("error", reject)
    })
    expect(got).toContain("refs/heads/main")
  })
})

describe("a crafted push", () => {
  const push = async (lines: ReadonlyArray<string>, capabilities = "report-status") => {
    const [first = "", ...others] = lines
    const body = [pkt(`${first}\0 ${capabilities}`), ...others.map(pkt), "0000"].join("")
    return call("git-receive-pack", body)
  }
  const head = () => succeed(`--git-dir=${service.repository(1).path}`, "rev-parse", "refs/heads/main")

  it("cannot remove a ref that it does not know", async () => {
    const commit = await head()
    service.pushes.length = 0
    service.policies.set("group/1", { ...everythingAllowed, defaultBranch: undefined })
    const { text } = await push([
      `${await succeed(`--git-dir=${service.repository(1).path}`, "rev-parse", "main^{tree}")} ${zero} refs/heads/main`
    ])
    expect(text).toContain("ng refs/heads/main")
    expect([await head(), service.pushes]).toEqual([commit, []])
  })

  it("that removes what a missing object was said to be tells where it was", async () => {
    const commit = await head()
    await succeed(`--git-dir=${service.repository(1).path}`, "update-ref", "refs/heads/victim", commit)
    service.pushes.length = 0
    await push([`${one} ${zero} refs/heads/victim`, `${one} ${zero} refs/heads/nowhere`])
    expect(service.pushes.map(({ updates }) => updates)).toEqual([[{ ref: "refs/heads/victim", before: commit, after: null }]])
  })

  it("without a report still tells what moved", async () => {
    const commit = await head()
    service.pushes.length = 0
    await push([`${zero} ${one} refs/heads/quiet-bad`], "delete-refs")
    await succeed(`--git-dir=${service.repository(1).path}`, "update-ref", "refs/heads/quiet", commit)
    await push([`${commit} ${zero} refs/heads/quiet`], "delete-refs")
    expect(service.pushes.map(({ updates }) => updates)).toEqual([[{ ref: "refs/heads/quiet", before: commit, after: null }]])
  })

  it("is judged by what holds when everything has come in", async () => {
    service.policies.delete("group/1")
    const commit = await head()
    const lines = `${pkt(`${zero} ${commit} refs/heads/late\0 report-status`)}0000`
    const outgoing = httpRequest(`${service.url}/group/1.git/git-receive-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-receive-pack-request" }
    })
    const answer = new Promise<string>((resolve, reject) => {
      outgoing.on("response", async (incoming) => resolve((await incoming.toArray()).join("")))
      outgoing.on("error", reject)
    })
    // Commands, and what the pack says of itself.
    outgoing.write(Buffer.concat([Buffer.from(lines), emptyPack.subarray(0, 12)]))
    await until(() => processesNaming(`receive-pack --stateless-rpc ${service.repository(1).path}`).length > 0)
    service.policies.set("group/1", { ...everythingAllowed, mayPush: false })
    outgoing.end(emptyPack.subarray(12))
    expect(await answer).toContain(`ng refs/heads/late ${pushRefusals.push}`)
    service.policies.delete("group/1")
  })

  it("moves nothing when the client goes away before its request has ended", async () => {
    const { path } = service.repository(1)
    const body = Buffer.concat([Buffer.from(`${pkt(`${zero} ${await head()} refs/heads/half\0 report-status`)}0000`), emptyPack])
    const outgoing = httpRequest(`${service.url}/group/1.git/git-receive-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-receive-pack-request" }
    })
    outgoing.on("error", () => {})
    // In chunks, of which the last is not sent: git begins before a request ends that does not say how long it is.
    outgoing.write(body)
    const hook = () => processesIn(path).filter((line) => line.includes("/pre-receive"))
    await until(() => hook().length > 0)
    outgoing.destroy()
    await until(() => hook().length === 0 && processesNaming(`receive-pack --stateless-rpc ${path}`).length === 0)
    expect(await succeed(`--git-dir=${path}`, "for-each-ref", "refs/heads/half")).toBe("")
  })

  it("that is short begins once all of it is there", async () => {
    const { path } = service.repository(1)
    const body = Buffer.concat([Buffer.from(`${pkt(`${zero} ${await head()} refs/heads/short\0 report-status`)}0000`), emptyPack])
    const outgoing = httpRequest(`${service.url}/group/1.git/git-receive-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-receive-pack-request", "content-length": body.length }
    })
    const answer = new Promise<string>((resolve, reject) => {
      outgoing.on("response", async (incoming) => resolve((await incoming.toArray()).join("")))
      outgoing.on("error", reject)
    })
    outgoing.write(body.subarray(0, -1))
    // Another push from its beginning to its end.
    await call(
      "git-receive-pack",
      Buffer.concat([Buffer.from(`${pkt(`${zero} ${await head()} refs/heads/other\0 report-status`)}0000`), emptyPack])
    )
    expect(processesNaming(`receive-pack --stateless-rpc ${path}`)).toEqual([])
    outgoing.end(body.subarray(-1))
    expect(await answer).toContain("ok refs/heads/short")
  })

  it("with more behind its objects than anybody reads is received", async () => {
    const commands = `${pkt(`${zero} ${await head()} refs/heads/more\0 report-status`)}0000`
    const { text } = await call("git-receive-pack", Buffer.concat([Buffer.from(commands), emptyPack, Buffer.alloc(1024 * 1024)]))
    expect(text).toContain("ok refs/heads/more")
  })

  it("of too many refs is refused", async () => {
    const { status, text } = await push(Array.from({ length: 2000 }, (_, index) => `${zero} ${one} refs/heads/b${index}`))
    expect([status, text]).toEqual([413, "The push names too many refs.\n"])
  })

  it("of a few bytes that claim to become a tree of 2 GiB is refused before that is there", async () => {
    const command = Buffer.from(`${pkt(`${zero} ${one} refs/heads/bomb\0 report-status side-band-64k`)}0000`)
    const { text } = await call("git-receive-pack", Buffer.concat([command, packBomb()]))
    expect(text).toContain("fatal: attempting to allocate 2147483649 over limit 134217728")
    expect(text).toContain("ng refs/heads/bomb unpacker error")
  })

  it("of too many objects is refused in words", async () => {
    const copy = new WorkingCopy(join(folder(), "copy"))
    await copy.commit(4 * 1024 * 1024)
    const { status, stderr } = await copy.attempt("push", "origin", "HEAD:refs/heads/large")
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/exceeds maximum allowed size[\s\S]*\[remote rejected\] HEAD -> large/)
    ])
  })
})
