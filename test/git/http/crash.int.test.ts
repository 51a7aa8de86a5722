import { readdirSync } from "node:fs"
import { mkdir, utimes, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refDifference, refsOf } from "#src/git/refs/pushedRefs.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { startClient, succeed, WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"
import { processesNaming } from "./processes.ts"
import { startServerProcess } from "./serverProcess.ts"

const folder = temporaryFolder()
let service: GitService
let copy: WorkingCopy
const mebibyte = 1024 * 1024

/** `group/1` with 60 MB. */
beforeAll(async () => {
  service = await startGitService(folder())
  await service.create(1)
  copy = await WorkingCopy.make(join(folder(), "origin"), `${service.url}/group/1.git`)
  await copy.commit(60 * mebibyte)
  await copy.git("push", "--quiet", "origin", "main")
})
afterAll(() => service.stop())

const path = () => service.repository(1).path
const onServer = (...args: ReadonlyArray<string>) => succeed(`--git-dir=${path()}`, ...args)
const running = () => processesNaming(`pack --stateless-rpc ${path()}`)
const quarantines = (repository: string) =>
  readdirSync(join(repository, "objects")).filter((name) => name.startsWith("tmp_objdir"))

/** Sends a part of a push, and nothing more. */
const beginPush = (url: string, part: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write(
    `POST /group/1.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: 100000\r\n\r\n${part}`
  )
  return socket.toArray().then((chunks) => chunks.join(""))
}

describe("a client that is killed", () => {
  it("in the middle of a clone leaves no process", async () => {
    const { end, kill } = startClient(["clone", "--quiet", copyUrl(), join(folder(), "killed")])
    await until(() => running().length > 0)
    kill("SIGKILL")
    await end
    await until(() => running().length === 0)
  })

  it("in the middle of a push leaves no process and no trace", async () => {
    const pushed = service.pushes.length
    const commit = await copy.commit(60 * mebibyte)
    const { end, kill } = startClient(["-C", copy.path, "push", "--quiet", "origin", "main"])
    await until(() => running().length > 0 && quarantines(path()).length > 0)
    kill("SIGKILL")
    await end
    await until(() => running().length === 0)
    await until(() => quarantines(path()).length === 0)
    await expect(onServer("cat-file", "-e", commit)).rejects.toThrow()
    await onServer("fsck", "--strict", "--no-dangling")
    expect(service.pushes.length).toBe(pushed)
    await copy.git("push", "--quiet", "origin", "main")
    expect(await onServer("rev-parse", "main")).toBe(commit)
  })

  it("behind a complete push does not undo it", async () => {
    const before = await onServer("rev-parse", "main")
    const pushed = service.pushes.length
    const zero = "0".repeat(40)
    const line = `${zero} ${before} refs/heads/left\0 report-status side-band-64k`
    const pack = Buffer.concat([
      Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1"),
      Buffer.from("029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex")
    ])
    const body = Buffer.concat([Buffer.from((line.length + 4).toString(16).padStart(4, "0")), Buffer.from(`${line}0000`), pack])
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /group/1.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`
    )
    service.onPush = () =>
      Effect.andThen(
        Effect.sync(() => socket.destroy()),
        Effect.as(Effect.sleep(100), [])
      )
    socket.write(body)
    await until(() => service.pushes.length > pushed)
    service.onPush = () => Effect.succeed([])
    expect(service.pushes.at(-1)?.updates).toEqual([{ ref: "refs/heads/left", before: null, after: before }])
  })

  it("or that says nothing any more, is let go", async () => {
    const impatient = await startGitService(join(folder(), "impatient"), { idleMillis: 1_000 })
    const { path: repository } = await impatient.create(1)
    const ofClient = () => processesNaming(`pack --stateless-rpc ${repository}`)
    const command = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/x\0 report-status side-band-64k`
    const text = beginPush(
      impatient.url,
      `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000PACK\0\0\0\x02\0\0\0\x01`
    )
    await until(() => ofClient().length > 0)
    await until(() => ofClient().length === 0)
    expect(await text).toContain("The push was ended: it took too long.")
    await impatient.stop()
  })

  it("or that never says what it wants to push, is let go without a process", async () => {
    const impatient = await startGitService(join(folder(), "silent"), { idleMillis: 500 })
    await impatient.create(1)
    const text = await beginPush(impatient.url, "00")
    expect([text.split(" ")[1], text.split("\r\n\r\n")[1]]).toEqual(["408", "The request was ended: it stood still.\n"])
    expect(processesNaming(join(folder(), "silent"))).toEqual([])
    await impatient.stop()
  })
})

describe("a client that reads nothing any more", () => {
  it("keeps neither process nor connection", async () => {
    const impatient = await startGitService(join(folder(), "stalled"), { idleMillis: 2_000 })
    const { path: repository } = await impatient.create(1)
    await succeed(`--git-dir=${repository}`, "config", "core.compression", "0")
    await succeed("-C", copy.path, "push", "--quiet", `file://${repository}`, "main")
    await succeed(`--git-dir=${repository}`, "repack", "-a", "-d", "-q")
    const commit = await copy.git("rev-parse", "main")
    const ofClient = () => processesNaming(`pack --stateless-rpc ${repository}`)
    const { hostname, port } = new URL(impatient.url)
    const socket = connect(Number(port), hostname)
    const body = `0032want ${commit}\n00000009done\n`
    socket.write(
      `POST /group/1.git/git-upload-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await until(() => ofClient().length > 0)
    await until(() => ofClient().length === 0)
    const bytes = Buffer.concat(await socket.toArray())
    expect(bytes.length).toBeGreaterThan(100_000)
    // The answer was broken off, not ended.
    expect(bytes.subarray(-7).toString("latin1")).not.toBe("\r\n0\r\n\r\n")
    await impatient.stop()
  })
})

const copyUrl = () => `${service.url}/group/1.git`

describe("a service that stops", () => {
  it("waits for a push that is complete", async () => {
    const own = join(folder(), "stopping")
    const stopping = await startGitService(own)
    await stopping.create(1)
    const working = await WorkingCopy.make(join(folder(), "stopping-copy"), `${stopping.url}/group/1.git`)
    let isRecording = false
    stopping.onPush = () =>
      Effect.as(
        Effect.andThen(
          Effect.sync(() => (isRecording = true)),
          Effect.sleep(500)
        ),
        ["recorded"]
      )
    const { end } = startClient(["-C", working.path, "push", "origin", "main"])
    await until(() => isRecording)
    await stopping.stop()
    expect(stopping.pushes.length).toBe(1)
    expect((await end).stderr).toContain("remote: recorded")
  })
})

describe("a service that stops and waits no longer", () => {
  it("writes nothing behind its answer to a slow push", async () => {
    const stopping = await startGitService(join(folder(), "impatient-stop"))
    const { path: repository } = await stopping.create(1)
    const uncaught: Array<Error> = []
    const note = (error: Error) => void uncaught.push(error)
    process.on("uncaughtException", note)
    const command = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/x\0 report-status side-band-64k`
    const answer = beginPush(
      stopping.url,
      `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000PACK\0\0\0\x02\0\0\0\x01`
    )
    await until(() => processesNaming(`receive-pack --stateless-rpc ${repository}`).length > 0)
    stopping.answerAll()
    await stopping.stop()
    expect([(await answer).split(" ")[1], processesNaming(repository), uncaught]).toEqual(["503", [], []])
    process.off("uncaughtException", note)
  })
})

describe("a service that is killed", () => {
  it("in the middle of a push leaves a whole repository", async () => {
    const own = join(folder(), "killed-server")
    const server = await startServerProcess(own)
    const repository = join(own, "data/repositories/01/1.git")
    const working = await WorkingCopy.make(join(folder(), "killed-copy"), `${server.url}/group/1.git`)
    await working.git("push", "--quiet", "origin", "main")
    const commit = await working.commit(60 * mebibyte)
    const { end } = startClient(["-C", working.path, "push", "--quiet", "origin", "main"])
    await until(() => quarantines(repository).length > 0)
    server.child.kill("SIGKILL")
    expect((await end).status).not.toBe(0)
    await until(() => processesNaming(repository).length === 0)
    await succeed(`--git-dir=${repository}`, "fsck", "--strict", "--no-dangling")
    const again = await startServerProcess(own)
    await working.git("push", "--quiet", `${again.url}/group/1.git`, "main")
    expect(await succeed(`--git-dir=${repository}`, "rev-parse", "main")).toBe(commit)
    again.child.kill("SIGKILL")
  })

  it("between a move and its record leaves a difference that can be found", async () => {
    const own = join(folder(), "unrecorded")
    const server = await startServerProcess(own, 60_000)
    const repository = { path: join(own, "data/repositories/01/1.git") }
    const working = await WorkingCopy.make(join(folder(), "unrecorded-copy"), `${server.url}/group/1.git`)
    const { end } = startClient(["-C", working.path, "push", "--quiet", "origin", "main"])
    const real = () => Effect.runPromise(refsOf(repository))
    await until(async () => (await real()).size > 0)
    server.child.kill("SIGKILL")
    expect((await end).status).not.toBe(0)
    const after = await working.git("rev-parse", "HEAD")
    expect(refDifference(new Map(), await real())).toEqual([{ ref: "refs/heads/main", before: null, after }])
  })
})

describe("what a killed process left", () => {
  it("is removed by maintenance when it is old", async () => {
    const repository = await service.create(2)
    const at = (...names: ReadonlyArray<string>) => join(repository.path, ...names)
    const old = new Date(Date.now() - 2 * 24 * 3_600_000)
    const left = [
      ...["refs/heads/other.lock", "packed-refs.lock", "objects/info/commit-graph.lock"],
      ...["objects/pack/tmp_pack_x", "contributors.v1/tmp_x"]
    ]
    await mkdir(at("contributors.v1"), { recursive: true })
    for (const name of left) {
      await writeFile(at(name), "")
      await utimes(at(name), old, old)
    }
    await writeFile(at("refs/heads/young.lock"), "")
    await Effect.runPromise(Effect.provide(service.maintenance.maintain(repository), Logger.layer([])))
    expect(readdirSync(at("refs/heads"))).toContain("young.lock")
    expect(left.filter((name) => readdirSync(at(name, "..")).includes(name.split("/").at(-1) ?? ""))).toEqual([])
  })
})
