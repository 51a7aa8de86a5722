import { existsSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { client, startClient, succeed, WorkingCopy } from "../gitClient.ts"
import { type GitService, startGitService } from "../gitService.ts"

const folder = temporaryFolder()
let service: GitService
let copy: WorkingCopy
let url = ""
let count = 0

/** `group/1` with 30 commits, `group/2` empty, `group/3` without a repository. */
beforeAll(async () => {
  service = await startGitService(folder())
  await service.create(1)
  await service.create(2)
  url = `${service.url}/group/1.git`
  copy = await WorkingCopy.make(join(folder(), "origin"), url)
  for (let index = 1; index < 30; index++) await copy.commit(2000)
  await copy.git("tag", "--annotate", "--message=One", "v1")
  await copy.git("push", "--quiet", "origin", "main", "v1")
})
afterAll(() => service.stop())

const fresh = () => join(folder(), `clone-${++count}`)
const countOf = async (path: string) => Number(await succeed("-C", path, "rev-list", "--count", "HEAD"))

describe("a clone", () => {
  it.each([0, 1, 2])("has everything, with version %s of the protocol", async (version) => {
    const path = fresh()
    const { end } = startClient(["-c", `protocol.version=${version}`, "clone", url, path], { GIT_TRACE_PACKET: "1" })
    const { status, stderr } = await end
    expect([status, stderr.includes("< version 2"), stderr.includes("< version 1")]).toEqual([0, version === 2, version === 1])
    await succeed("-C", path, "fsck", "--strict")
    expect([await countOf(path), await succeed("-C", path, "rev-parse", "v1^{}")]).toEqual([
      30,
      await copy.git("rev-parse", "HEAD")
    ])
  })

  it.each([0, 2])("may be shallow, and be deepened later, with version %s", async (version) => {
    const path = fresh()
    const config = ["-c", `protocol.version=${version}`]
    await succeed(...config, "clone", "--quiet", "--depth=3", url, path)
    const counts = [await countOf(path)]
    await succeed(...config, "-C", path, "fetch", "--quiet", "--deepen=5")
    counts.push(await countOf(path))
    await succeed(...config, "-C", path, "fetch", "--quiet", "--unshallow")
    counts.push(await countOf(path))
    expect(counts).toEqual([3, 8, 30])
  })

  it("may be shallow by date and by branch", async () => {
    const [since, without] = [fresh(), fresh()]
    await copy.git("push", "--quiet", "origin", "HEAD~4:refs/tags/old")
    await succeed("clone", "--quiet", "--shallow-exclude=old", "--no-checkout", url, without)
    await succeed("clone", "--quiet", "--shallow-since=2001-01-01", "--single-branch", url, since)
    await copy.git("push", "--quiet", "origin", ":refs/tags/old")
    expect([await countOf(without), await countOf(since)]).toEqual([4, 30])
  })

  it("may leave files out and get them when they are needed", async () => {
    const path = fresh()
    await succeed("clone", "--quiet", "--filter=blob:none", "--no-checkout", url, path)
    const missing = () => succeed("-C", path, "rev-list", "--objects", "--all", "--missing=print")
    expect((await missing()).split("\n").filter((line) => line.startsWith("?"))).toHaveLength(30)
    await succeed("-C", path, "checkout", "--quiet", "main")
    expect((await missing()).includes("?")).toBe(false)
    const missingIn = async (...args: ReadonlyArray<string>) => {
      const other = fresh()
      await succeed("clone", "--quiet", ...args, url, other)
      const listed = await succeed("-C", other, "rev-list", "--objects", "--all", "--missing=print")
      return listed.split("\n").filter((line) => line.startsWith("?")).length
    }
    // One tree and one file a commit; the first file has 16 bytes.
    expect([await missingIn("--filter=tree:0", "--no-checkout"), await missingIn("--filter=blob:limit=1k", "--bare")]).toEqual([
      30, 29
    ])
  })

  it("of an empty repository is empty, and knows its branch", async () => {
    const path = fresh()
    const { status, stderr } = await client("clone", `${service.url}/group/2.git`, path)
    expect([status, stderr.includes("You appear to have cloned an empty repository.")]).toEqual([0, true])
    expect(await succeed("-C", path, "symbolic-ref", "HEAD")).toBe("refs/heads/main")
  })

  it("finds the repository without the suffix", async () => {
    const path = fresh()
    const { status, stderr } = await client("clone", `${service.url}/group/1`, path)
    expect([status, stderr.includes(`redirecting to ${url}`)]).toEqual([0, true])
    expect(await countOf(path)).toBe(30)
  })

  it("gets one commit by its id", async () => {
    const path = fresh()
    await succeed("init", "--quiet", path)
    const commit = await copy.git("rev-parse", "HEAD~7")
    await succeed("-C", path, "fetch", "--quiet", "--depth=1", url, commit)
    expect(await succeed("-C", path, "rev-parse", "FETCH_HEAD")).toBe(commit)
  })
})

describe("a fetch", () => {
  it("brings what is new, its long lists of commits packed", async () => {
    const path = fresh()
    await succeed("clone", "--quiet", url, path)
    const own = new WorkingCopy(path)
    // More than a kilobyte of what the client has makes it pack its requests.
    for (let index = 0; index < 40; index++) await own.git("commit", "--quiet", "--allow-empty", "-m", `Own ${index}`)
    const commit = await copy.commit()
    await copy.git("push", "--quiet", "origin", "main")
    const { end } = startClient(["-C", path, "fetch", "origin"], { GIT_TRACE_CURL: "1" })
    const { status, stderr } = await end
    expect([status, /content-encoding: gzip/i.test(stderr)]).toEqual([0, true])
    expect(await succeed("-C", path, "rev-parse", "origin/main")).toBe(commit)
  })

  it("of refs alone is a list", async () => {
    const lines = (await succeed("ls-remote", url)).split("\n").map((line) => line.split("\t")[1])
    expect(lines).toEqual(["HEAD", "refs/heads/main", "refs/tags/v1", "refs/tags/v1^{}"])
  })

  it("does not see hidden refs", async () => {
    const commit = await copy.git("rev-parse", "HEAD")
    await succeed(`--git-dir=${service.repository(1).path}`, "update-ref", "refs/internal/keep", commit)
    expect(await succeed("ls-remote", url)).not.toContain("internal")
  })

  it("shows what is wrong", async () => {
    const { stderr } = await client("-C", copy.path, "fetch", url, "0123456789012345678901234567890123456789")
    expect(stderr).toContain("remote error: upload-pack: not our ref 0123456789012345678901234567890123456789")
  })
})

describe("access", () => {
  it.each([
    ["private/1", "", "could not read Username"],
    ["private/1", "ann:wrong", "Authentication failed"],
    ["private/absent", "ann:secret", "The project you were looking for could not be found."],
    ["group/3", "", "A repository for this project does not exist yet."]
  ])("to %s as '%s' is refused", async (path, credentials, text) => {
    const base = credentials === "" ? service.url : service.url.replace("//", `//${credentials}@`)
    const { status, stderr } = await client("clone", `${base}/${path}.git`, fresh())
    expect([status, stderr]).toEqual([128, expect.stringContaining(text)])
  })

  it("is had with a password", async () => {
    const path = fresh()
    await succeed("clone", "--quiet", `${service.url.replace("//", "//ann:secret@")}/private/1.git`, path)
    expect(existsSync(join(path, ".git"))).toBe(true)
  })

  it("to push is refused before anything is sent", async () => {
    const { stderr } = await copy.attempt("push", `${service.url}/readonly/1.git`, "main")
    expect(stderr).toContain("remote: You are not allowed to push code to this project.")
  })

  it("is asked for with the challenge of the reference", async () => {
    const answer = await fetch(`${service.url}/private/1.git/info/refs?service=git-upload-pack`)
    expect([answer.status, answer.headers.get("www-authenticate"), await answer.text()]).toEqual([
      401,
      'Basic realm="GitLab"',
      "HTTP Basic: Access denied.\n"
    ])
  })
})

describe("answers", () => {
  it("are never kept by anyone", async () => {
    const answer = await fetch(`${url}/info/refs?service=git-upload-pack`)
    const names = ["cache-control", "content-type", "expires", "pragma"]
    expect(names.map((name) => answer.headers.get(name))).toEqual([
      "no-cache, max-age=0, must-revalidate",
      "application/x-git-upload-pack-advertisement",
      "Fri, 01 Jan 1980 00:00:00 GMT",
      "no-cache"
    ])
    expect(await answer.text()).toMatch(/^001e# service=git-upload-pack\n0000/)
  })

  it.each([
    ["version=2", "000eversion 2\n"],
    ["foo:version=2:bar=1", "000eversion 2\n"],
    ["version=3", "001e# service"],
    ["version=2\tx", "001e# service"],
    ["version=22", "001e# service"]
  ])("to Git-Protocol '%s' begin with %s", async (header, beginning) => {
    const answer = await fetch(`${url}/info/refs?service=git-upload-pack`, { headers: { "git-protocol": header } })
    expect((await answer.text()).slice(0, beginning.length)).toBe(beginning)
  })

  it("to packed requests are those to plain ones", async () => {
    const body = "0014command=ls-refs\n0001000csymrefs\n0000"
    const ask = async (packed: boolean) => {
      const answer = await fetch(`${url}/git-upload-pack`, {
        method: "POST",
        headers: {
          "content-type": "application/x-git-upload-pack-request",
          "git-protocol": "version=2",
          ...(packed ? { "content-encoding": "gzip" } : {})
        },
        body: packed ? gzipSync(body) : body
      })
      return [answer.status, answer.headers.get("content-type"), await answer.text()] as const
    }
    const plain = await ask(false)
    expect(plain).toEqual([200, "application/x-git-upload-pack-result", expect.stringContaining("refs/heads/main")])
    expect(await ask(true)).toEqual(plain)
  })
})
