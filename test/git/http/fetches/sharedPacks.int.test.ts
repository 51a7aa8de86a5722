import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdir, readlink, rename, stat, writeFile } from "node:fs/promises"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { refsState } from "#src/git/http/fetches/refsState.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { defaultPlaces } from "#src/platform/work/WorkPlaces.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { succeed, WorkingCopy } from "../gitClient.ts"
import { type GitService, startGitService } from "../gitService.ts"

const execute = promisify(execFile)
const folder = temporaryFolder()
const processes = useProcesses()
let service: GitService
let copy: WorkingCopy
let id = 0

/** What git clones with, for a commit. */
const bodyFor = (commit: string) =>
  `0011command=fetch0014agent=git/2.39.50016object-format=sha10001000dthin-pack000dofs-delta0032want ${commit}\n0009done\n0000`

const post = async (path: string, body: string, from = service): Promise<IncomingMessage> => {
  const asked = request(`${from.url}${path}`, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/x-git-upload-pack-request", "git-protocol": "version=2" }
  })
  asked.end(body)
  const [answer] = await once(asked, "response")
  return answer
}
const path = () => `/group/${id}.git/git-upload-pack`
const packOf = async (commit: string, from = service) => buffer(await post(path(), bodyFor(commit), from))
const tipOf = () => copy.git("rev-parse", "HEAD")
const made = () => processes.started("upload-pack", service.repository(id).path)

/** A repository whose pack is too large for memory and for what lies in the buffers of a connection. */
const newRepository = async (to: GitService) => {
  await to.create(id)
  // What is noise is not compressed again each time that it is read.
  await succeed(`--git-dir=${to.repository(id).path}`, "config", "core.compression", "0")
  copy = await WorkingCopy.make(join(folder(), `copy-${id}-${to === service}`), `${to.url}/group/${id}.git`)
  await writeFile(join(copy.path, "noise"), randomBytes(16 * 1024 * 1024))
  await copy.git("add", "noise")
  await copy.git("commit", "--quiet", "--message", "noise")
  await copy.git("push", "--quiet", "origin", "main")
  await succeed(`--git-dir=${to.repository(id).path}`, "repack", "-adq")
}
/** Refs that moved a moment ago may move again without a later time of their files. */
const isSettled = (of = service) => until(async () => (await refsState(of.repository(id))) !== undefined)

beforeAll(async () => {
  service = await startGitService(folder())
})
afterAll(() => service.stop())
beforeEach(() => {
  id++
})

/** The bytes of the files without a name in which packs lie, by what the system says. */
const spooled = async (): Promise<ReadonlyArray<number>> => {
  const descriptors = await readdir("/proc/self/fd")
  const found = await Promise.all(
    descriptors.map(async (each) => {
      const path = `/proc/self/fd/${each}`
      const link = await readlink(path).catch(() => "")
      return link.endsWith(".spool (deleted)")
        ? stat(path).then(
            ({ size }) => size,
            () => 0
          )
        : undefined
    })
  )
  return found.filter((size) => size !== undefined)
}

/** The most bytes that all packs took together while something was done, which takes many times as long as the pause between two looks. */
const maxSpooled = async (work: Promise<unknown>): Promise<number> => {
  let [most, isOver] = [0, false]
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    const sizes = await spooled()
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0)
    )
    await setTimeout(5)
  }
  await work
  return most
}

describe("a pack that is larger than all packs may be", () => {
  const maxBytes = 2 * 1024 * 1024
  let tight: GitService
  beforeEach(async () => {
    tight = await startGitService(join(folder(), `small-${id}`), {}, PushLocks.layer, defaultPlaces, maxBytes)
    await newRepository(tight)
  })
  afterEach(() => tight.stop())

  const clone = (count: number) => {
    const clones = Array.from({ length: count }, (_, index) => join(folder(), `clone-${id}-${index}`))
    const cloning = Promise.all(clones.map((to) => succeed("clone", "--quiet", `${tight.url}/group/${id}.git`, to)))
    const checked = cloning.then(() => Promise.all(clones.map((to) => succeed("-C", to, "fsck", "--strict"))))
    return { cloning, checked }
  }

  it("is cloned by several at once, without anything on the disk", async () => {
    await isSettled(tight)
    const { checked, cloning } = clone(4)
    expect(await maxSpooled(cloning)).toBe(0)
    expect(await checked).toEqual(["", "", "", ""])
  })

  it("because its objects are in no pack is too, and takes no more of the disk than that", async () => {
    const { path } = tight.repository(id)
    const packs = join(path, "objects", "pack")
    for (const name of await readdir(packs)) {
      if (!name.endsWith(".pack")) continue
      await rename(join(packs, name), join(folder(), name))
      await execute("sh", ["-c", 'git --git-dir="$0" unpack-objects -q < "$1"', path, join(folder(), name)])
    }
    await isSettled(tight)
    const { checked, cloning } = clone(4)
    const most = await maxSpooled(cloning)
    expect(await checked).toEqual(["", "", "", ""])
    expect([most > 0, most <= maxBytes]).toEqual([true, true])
    await until(async () => (await spooled()).length === 0)
    // Who asks for the same afterwards gets a pack of their own.
    const pair = async () => Promise.all([packOf(await tipOf(), tight), packOf(await tipOf(), tight)])
    await pair()
    processes.forget()
    expect((await pair()).map(({ length }) => length > 16 * 1024 * 1024)).toEqual([true, true])
    expect([processes.started("upload-pack", path), await spooled()]).toEqual([2, []])
  })
})

describe("a pack", () => {
  beforeEach(async () => {
    await newRepository(service)
    await isSettled()
    processes.forget()
  })

  it("is made once for all who ask for it at the same time, and again from the disk", async () => {
    const commit = await tipOf()
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => packOf(commit)))
    expect([first?.subarray(0, 13).toString("latin1"), (first?.length ?? 0) > 16 * 1024 * 1024]).toEqual(["000dpackfile\n", true])
    expect([others.filter((other) => first?.equals(other)).length, made()]).toEqual([9, 1])
    expect([(await packOf(commit)).equals(first ?? Buffer.alloc(0)), made()]).toEqual([true, 1])
  })

  it("is what git clones", async () => {
    const url = `${service.url}/group/${id}.git`
    const clones = Array.from({ length: 4 }, (_, index) => join(folder(), `clone-${id}-${index}`))
    await Promise.all(clones.map((clone) => succeed("clone", "--quiet", url, clone)))
    for (const clone of clones) expect(await succeed("-C", clone, "fsck", "--strict")).toBe("")
  })

  it("is made anew once a ref has moved", async () => {
    const commit = await tipOf()
    await packOf(commit)
    await copy.git("push", "--quiet", "origin", "main:refs/heads/other")
    await isSettled()
    expect([(await packOf(commit)).length > 16 * 1024 * 1024, made()]).toEqual([true, 2])
  })

  it("goes on for others when one leaves, and ends with the last", async () => {
    const commit = await tipOf()
    const [one, two] = await Promise.all([post(path(), bodyFor(commit)), post(path(), bodyFor(commit))])
    one.destroy()
    expect((await buffer(two)).length).toBeGreaterThan(16 * 1024 * 1024)
    expect(made()).toBe(1)
    await copy.git("push", "--quiet", "origin", "main:refs/heads/other")
    await isSettled()
    const last = await post(path(), bodyFor(commit))
    last.destroy()
    await until(() => processes.running("upload-pack", service.repository(id).path) === 0)
    expect((await packOf(commit)).length).toBeGreaterThan(16 * 1024 * 1024)
  })

  it("that cannot be made is refused in words, to everybody, and asked for anew", async () => {
    const commit = "0123456789012345678901234567890123456789"
    const answers = await Promise.all([packOf(commit), packOf(commit)])
    expect(answers.map((answer) => answer.toString("latin1", 0, 73))).toEqual(
      Array(2).fill(`0049ERR upload-pack: not our ref ${commit}`)
    )
    const before = made()
    await packOf(commit)
    expect(made()).toBe(before + 1)
  })

  it("for which there is no room is made for each", async () => {
    const tight = await startGitService(join(folder(), `tight-${id}`), {}, PushLocks.layer, defaultPlaces, 1024 * 1024)
    await newRepository(tight)
    await isSettled(tight)
    processes.forget()
    const commit = await tipOf()
    const packs = await Promise.all([packOf(commit, tight), packOf(commit, tight)])
    expect(packs.map(({ length }) => length > 16 * 1024 * 1024)).toEqual([true, true])
    expect(processes.started("upload-pack", tight.repository(id).path)).toBe(2)
    await tight.stop()
  })
})
