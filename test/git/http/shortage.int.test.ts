import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { flush, packet, sideband } from "#src/git/http/packets.ts"
import { EventStoreUnavailable } from "#src/platform/eventStore/EventStore.ts"
import { Child } from "#src/platform/processes/spawner/Child.ts"
import { Spawner } from "#src/platform/processes/spawner/Spawner.ts"
import { SqlError } from "#src/platform/sql/Sql.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { refLines, succeed, WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"

const folder = temporaryFolder()
const mebibyte = 1024 * 1024
let service: GitService
let spare = 0
let copy: WorkingCopy

beforeAll(async () => {
  service = await startGitService(folder(), { spare: async () => spare })
  await service.create(1)
  copy = await WorkingCopy.make(join(folder(), "copy"), `${service.url}/group/1.git`)
})
afterAll(() => service.stop())

const path = () => service.repository(1).path

describe("where the disk is nearly full", () => {
  it("a large push is refused in words, and leaves nothing", async () => {
    await copy.git("push", "--quiet", "origin", "main", "main:old")
    service.pushes.length = 0
    const before = readdirSync(join(path(), "objects"), { recursive: true }).sort()
    await copy.commit(20 * mebibyte)
    const end = await copy.attempt("push", "origin", "main")
    expect([end.status, end.stderr]).toEqual([
      1,
      expect.stringContaining("remote: The push was ended: the service has too little space left on its disk.")
    ])
    expect(refLines(end)).toEqual([expect.stringMatching(/^! \[remote rejected\] main -> main \(.*unpack.*\)$/)])
    expect(readdirSync(join(path(), "objects"), { recursive: true }).sort()).toEqual(before)
    expect([service.pushes, service.unrecorded]).toEqual([[], []])
  })

  it("a small one and a deletion arrive, and the large one when there is space again", async () => {
    await copy.git("push", "--quiet", "origin", "HEAD~1:refs/heads/small", ":old")
    spare = 1024 * mebibyte
    await copy.git("push", "--quiet", "origin", "main")
    expect(await succeed(`--git-dir=${path()}`, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/heads/small")
    await succeed(`--git-dir=${path()}`, "fsck", "--strict", "--no-dangling")
  })
})

/** What `git receive-pack` answers, once it has read the push, where `git index-pack` said this. */
const failedUnpack = (said: string): Buffer => {
  const report = ["unpack index-pack abnormal exit\n", "ng refs/heads/main unpacker error\n"].map((line) =>
    packet(Buffer.from(line))
  )
  return Buffer.concat([sideband(2, `${said}\n`), sideband(1, Buffer.concat([...report, flush])), flush])
}

describe("where the disk is full", () => {
  it.each(["fatal: write error: No space left on device", "fatal: unable to write loose object file: Disk quota exceeded"])(
    "whoever pushes is told so where git says %s",
    async (said) => {
      await copy.commit(1)
      const answer = join(folder(), "answer")
      writeFileSync(answer, failedUnpack(said))
      const start = Spawner.prototype.start
      const spawner = vi.spyOn(Spawner.prototype, "start").mockImplementation(function (this: Spawner, command, args, options) {
        const isPush = args.includes("receive-pack") && !args.includes("--advertise-refs")
        const standIn = ["-c", `cat > /dev/null; cat '${answer}'`]
        return isPush ? start.call(this, "sh", standIn, options) : start.call(this, command, args, options)
      })
      onTestFinished(() => spawner.mockRestore())
      const end = await copy.attempt("push", "origin", "main")
      expect([end.status, end.stderr]).toEqual([
        1,
        expect.stringContaining("remote: The push was ended: the service has too little space left on its disk.")
      ])
      expect(refLines(end)).toEqual(["! [remote rejected] main -> main (unpacker error)"])
    }
  )
})

const busy = [503, "10", "The service is busy. Try again in a moment.\n"]

/** Status, Retry-After and text of what both requests are answered. */
const answersTo = async (program: string) => {
  const type = `application/x-${program}-request`
  const answers = await Promise.all([
    fetch(`${service.url}/group/1.git/info/refs?service=${program}`),
    fetch(`${service.url}/group/1.git/${program}`, { method: "POST", headers: { "content-type": type }, body: "0000" })
  ])
  return Promise.all(answers.map(async (it) => [it.status, it.headers.get("retry-after"), await it.text()]))
}

describe("where no process can be started", () => {
  it.each(["git-upload-pack", "git-receive-pack"])("clients are told to come again by %s", async (program) => {
    const spawner = vi.spyOn(Spawner.prototype, "start").mockImplementation((command, _, { stdio }) => {
      const child = new Child({ id: 0, command, stdio, ask: () => {}, onEnd: () => {}, onLost: () => {} })
      child.failed("EAGAIN")
      return child
    })
    onTestFinished(() => spawner.mockRestore())
    expect(await answersTo(program)).toEqual([busy, busy])
  })
})

describe("where access cannot be looked up", () => {
  afterEach(() => {
    service.fault = undefined
  })

  it.each([
    ["the database does not answer", new SqlError({ cause: { code: "57P03" } }), busy],
    ["the log does not answer", new EventStoreUnavailable({ cause: "gone" }), busy],
    ["anything else", new SqlError({ cause: { code: "42P01" } }), [500, null, "The request could not be answered.\n"]]
  ])("because of this: %s", async (_, fault, expected) => {
    service.fault = fault
    expect(await answersTo("git-upload-pack")).toEqual([expected, expected])
  })
})
