import { once } from "node:events"
import { readdir, readlink } from "node:fs/promises"
import { join } from "node:path"
import { Context } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { GitHttpLimits } from "#src/git/http/limits.ts"
import { Spools } from "#src/git/process/Spools.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { defaultWorkLimits } from "#src/kernel/workLimits.ts"
import { placesFor } from "#src/platform/work/WorkPlaces.ts"
import { useStubbornClients } from "#test/support/processes/stubbornClients.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { succeed, WorkingCopy } from "../gitClient.ts"
import { type GitService, startGitService } from "../gitService.ts"

const folder = temporaryFolder()
const open = useStubbornClients()
let service: GitService
let count = 0
let commit = ""

/** One transfer at a time. */
const places = placesFor({ ...defaultWorkLimits, transfer: { ...defaultWorkLimits.transfer, places: 1 } })

const start = async (limits: Partial<GitHttpLimits>) => {
  const own = join(folder(), String(++count))
  service = await startGitService(own, limits, PushLocks.layer, places)
  await service.create(1)
  const copy = await WorkingCopy.make(join(own, "copy"), `${service.url}/group/1.git`)
  await copy.git("push", "--quiet", "origin", "main")
  commit = await copy.git("rev-parse", "main")
}
afterEach(() => service.stop())

const pkt = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text
const head = (program: string, length: number, others = "") =>
  `POST /group/1.git/${program} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-${program}-request\r\nContent-Length: ${length}\r\n${others}\r\n`
const clone = (name: string) => succeed("clone", "--quiet", `${service.url}/group/1.git`, join(folder(), `${name}-${count}`))

/** Files of bodies that are not whole. */
const files = async (): Promise<number> => {
  const links = await Promise.all(
    (await readdir("/proc/self/fd")).map((each) => readlink(`/proc/self/fd/${each}`).catch(() => ""))
  )
  return links.filter((link) => link.endsWith(".spool (deleted)")).length
}

describe("the body of a fetch", () => {
  const wants = (bytes: number) => {
    const line = pkt(`want ${commit}\n`)
    return line.repeat(Math.ceil(bytes / line.length))
  }
  const rest = "00000009done\n"
  const bodyOf = (bytes: number) => wants(bytes) + rest

  it.each([300 * 1024, 3 * 1024 * 1024])("of %i bytes takes no place before it is whole, and is answered then", async (bytes) => {
    await start({})
    const body = bodyOf(bytes)
    const begun = head("git-upload-pack", body.length) + body.slice(0, -1)
    const client = await open(service.url, begun)
    await client.taken(begun.length)
    await clone("beside")
    client.socket.write(body.slice(-1))
    expect(await client.heard()).toMatch(/^HTTP\/1\.1 200[\s\S]*PACK/)
    await expect.poll(files).toBe(0)
  })

  it("leaves nothing on the disk when its client goes away", async () => {
    await start({})
    const begun = head("git-upload-pack", 4 * 1024 * 1024) + wants(3 * 1024 * 1024)
    const client = await open(service.url, begun)
    await client.taken(begun.length)
    await expect.poll(files).toBe(1)
    client.socket.destroy()
    await expect.poll(files).toBe(0)
  })

  it("has to be there in time, however steadily it comes", async () => {
    await start({ bodyMillis: 1_000 })
    const begun = head("git-upload-pack", 1024 * 1024) + wants(300 * 1024)
    const client = await open(service.url, begun)
    const drip = setInterval(() => client.socket.write("0"), 50)
    expect(await client.heard()).toMatch(/^HTTP\/1\.1 408[\s\S]*The request was ended: it took too long\./)
    clearInterval(drip)
    await client.letGo()
  })

  it("is refused where those of its caller take too much of the disk", async () => {
    await start({ maxFetchBytes: 512 * 1024 * 1024 })
    const body = bodyOf(257 * 1024 * 1024)
    const client = await open(service.url, head("git-upload-pack", body.length) + body)
    expect(await client.heard()).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 10/i)
    await clone("afterwards")
  })
})

describe("the commands of a push", () => {
  const command = pkt(`${"0".repeat(40)} ${"1".repeat(40)} refs/heads/slow\0 report-status`)
  const begun = head("git-receive-pack", 1024 * 1024) + command

  it("take memory while they are not whole, of which one caller has a share", async () => {
    await start({})
    const more = begun + pkt(`${"0".repeat(40)} ${"1".repeat(40)} refs/heads/other`).repeat(2_400)
    const clients = await Promise.all(Array.from({ length: 48 }, () => open(service.url, more)))
    const [refused] = await Promise.any(clients.map(({ socket }) => once(socket, "data")))
    expect(String(refused)).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 10/i)
    // A small push asks for none.
    const copy = await WorkingCopy.make(join(folder(), "beside"), `${service.url}/group/1.git`)
    await copy.git("push", "--quiet", "origin", "HEAD:refs/heads/beside")
    for (const { socket } of clients) socket.destroy()
    const { bodyMemory } = Context.get(Context.empty(), Spools)
    await expect.poll(() => bodyMemory.take("anonymous", 8 * 1024 * 1024)).toBe(true)
    bodyMemory.giveBack("anonymous", 8 * 1024 * 1024)
  })

  it("have to come at the rate of what is pushed", async () => {
    await start({ leastPushRate: { bytesPerSecond: 1024, overMillis: 1_000 } })
    const client = await open(service.url, `${begun}1000`)
    const drip = setInterval(() => client.socket.write("0"), 50)
    expect(await client.heard()).toMatch(/^HTTP\/1\.1 408[\s\S]*The request was ended: it stood still\./)
    clearInterval(drip)
  })
})

describe("a push that trickles behind its commands", () => {
  const command = () => `${pkt(`${"0".repeat(40)} ${commit} refs/heads/slow\0 report-status side-band-64k`)}0000`

  it("is ended, and gives its place back", async () => {
    await start({ leastPushRate: { bytesPerSecond: 1024, overMillis: 1_000 } })
    const begun = `${head("git-receive-pack", 1024 * 1024)}${command()}PACK\0\0\0\x02\0\0\0\x01`
    const client = await open(service.url, begun)
    const drip = setInterval(() => client.socket.write("\0"), 50)
    expect(await client.heard()).toContain("The push was ended: it took too long.")
    clearInterval(drip)
    await clone("after-push")
  })
})

describe("a pack that is read too slowly", () => {
  beforeEach(() => start({ leastFetchRate: { bytesPerSecond: 512 * 1024, overMillis: 3_000 } }))

  it("while git waits for its reader, gives its place back", async () => {
    const copy = new WorkingCopy(join(folder(), String(count), "copy"))
    commit = await copy.commit(80 * 1024 * 1024)
    await copy.git("push", "--quiet", "origin", "main")
    const body = `${pkt(`want ${commit}\n`)}00000009done\n`
    const client = await open(service.url, head("git-upload-pack", body.length) + body)
    // A piece at a time, so that it never stands still.
    const read = setInterval(() => client.socket.read(16 * 1024), 100)
    await client.letGo()
    clearInterval(read)
    await clone("after-pack")
  })
})
