import { once } from "node:events"
import { readFileSync } from "node:fs"
import { buffer, text } from "node:stream/consumers"
import { describe, expect, it, vi } from "vitest"
import type { Child } from "#src/platform/processes/spawner/Child.ts"
import { Spawner } from "#src/platform/processes/spawner/Spawner.ts"

const env = { PATH: process.env.PATH }
const pipes = ["pipe", "pipe", "pipe"] as const
const shell = (spawner: Spawner, script: string, stdio: ReadonlyArray<"pipe" | "ignore"> = pipes): Child =>
  spawner.start("sh", ["-c", script], { env, stdio })
const parentOf = (id: number | undefined): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "latin1"))?.[1])

const runs = (id: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "latin1"))
  } catch {
    return false
  }
}

describe("the spawner", () => {
  const spawner = new Spawner()

  it("starts processes as its own, and tells how they end", async () => {
    const child = shell(spawner, "read -r line; exit 3")
    expect(child.pid).toBeUndefined()
    await once(child, "spawn")
    const parent = parentOf(child.pid)
    expect([parent === process.pid, parentOf(parent)]).toEqual([false, process.pid])
    child.stdin.end("\n")
    expect(await Promise.all([once(child, "exit"), once(child, "close")])).toEqual([
      [3, null],
      [3, null]
    ])
  })

  it("hands on what is written before they run, and all that they print", async () => {
    const child = shell(spawner, "cat; echo errors >&2")
    const given = "0123456789".repeat(300_000)
    child.stdin.write(given.slice(0, 10))
    child.stdin.write(given.slice(10, 1000))
    child.stdin.end(given.slice(1000))
    expect(await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])).toEqual([
      given,
      "errors\n",
      [0, null]
    ])
  })

  it("lets each have its own streams, however many start at once", async () => {
    const said = Array.from({ length: 100 }, async (_, index) => {
      const child = shell(spawner, `read -r line; echo "$line of ${index}"`)
      child.stdin.end(`${index}\n`)
      return text(child.stdout)
    })
    expect(await Promise.all(said)).toEqual(said.map((_, index) => `${index} of ${index}\n`))
  })

  it("hands on both ways what goes over descriptor 3", async () => {
    const child = shell(spawner, 'echo question >&3; read -r answer <&3; echo "$answer"; exec 3>&-; cat <&0', [
      "pipe",
      "pipe",
      "ignore",
      "pipe"
    ])
    const [channel] = child.stdio.slice(3)
    expect(String((await once(channel ?? child, "data"))[0])).toBe("question\n")
    channel?.write("answer\n")
    child.stdin.end()
    expect(await text(child.stdout)).toBe("answer\n")
  })

  it("hands on all that is said over descriptor 3 before its end, to who listens late, too", async () => {
    // What buffers hold differs by systems. Of some of these sizes only the last bytes wait in the spawner.
    const sizes = Array.from({ length: 24 }, (_, index) => (index + 8) * 16 * 1024)
    const children = sizes.map((size) => shell(spawner, `head -c ${size} /dev/zero >&3`, ["ignore", "ignore", "ignore", "pipe"]))
    const said = children.map(({ stdio }) => stdio[3]?.on("readable", () => {}))
    // Meanwhile those end of which the spawner keeps no more than the last.
    await once(shell(spawner, "exit 0"), "close")
    expect(await Promise.all(said.map(async (stream) => stream && (await buffer(stream)).length))).toEqual(sizes)
  })

  it("keeps nobody waiting for output that nobody reads", async () => {
    const child = shell(spawner, "echo something; echo else >&2")
    expect(await once(child, "close")).toEqual([0, null])
  })

  it("gives what is printed in one buffer, if that is asked for", async () => {
    const pieces: Array<string> = []
    const child = spawner.start("sh", ["-c", "echo one; read -r line; echo two"], { env, stdio: pipes }, (piece) => {
      pieces.push(piece.toString())
      child.stdin.end("\n")
    })
    await once(child, "close")
    expect(pieces.join("")).toBe("one\ntwo\n")
  })

  it("says which program is not there", async () => {
    const child = spawner.start("no-such-program", [], { env, stdio: pipes })
    const [error] = await once(child, "error").catch((thrown) => [thrown])
    expect([error.message, error.code, child.pid]).toEqual(["spawn no-such-program ENOENT", "ENOENT", undefined])
  })

  it("signals a process that does not run yet as soon as it does, and a session as a whole", async () => {
    const early = shell(spawner, "exec sleep 1000")
    early.kill("SIGKILL")
    expect(await once(early, "close")).toEqual([null, "SIGKILL"])
    const leader = spawner.start("sh", ["-c", "sleep 1000 & echo started; wait"], { env, stdio: pipes, detached: true })
    await once(leader.stdout, "data")
    leader.killGroup("SIGTERM")
    // Nobody holds its output any more, so that both have ended.
    expect(await once(leader, "close")).toEqual([null, "SIGTERM"])
  })

  it("signals what a leader of a session left behind", async () => {
    const leader = spawner.start("sh", ["-c", "sleep 1000 & exit 5"], { env, stdio: pipes, detached: true })
    expect(await once(leader, "exit")).toEqual([5, null])
    leader.killGroup("SIGKILL")
    expect(await once(leader, "close")).toEqual([5, null])
  })

  it("gives way to others", async () => {
    const child = spawner.start("sh", ["-c", "read -r line"], { env, stdio: pipes, niceness: 7 })
    await once(child, "spawn")
    expect(readFileSync(`/proc/${child.pid}/stat`, "latin1").split(" ")[18]).toBe("7")
    child.stdin.end()
    await once(child, "close")
  })
})

describe("a spawner that is killed", () => {
  it("is replaced; what it had started ends", async () => {
    const spawner = new Spawner()
    const child = shell(spawner, "exec sleep 1000")
    await once(child, "spawn")
    const pid = child.pid ?? 0
    process.kill(parentOf(pid), "SIGKILL")
    expect(await once(child, "close")).toEqual([null, "SIGKILL"])
    await vi.waitFor(() => expect(runs(pid)).toBe(false), { timeout: 60_000, interval: 20 })
    expect(await text(shell(spawner, "echo again").stdout)).toBe("again\n")
  })

  it("fails what it was to start", async () => {
    const spawner = new Spawner()
    const first = shell(spawner, "exec sleep 1000")
    await once(first, "spawn")
    const parent = parentOf(first.pid)
    process.kill(parent, "SIGSTOP")
    const second = shell(spawner, "echo never")
    const failed = once(second, "error").catch((thrown) => [thrown])
    process.kill(parent, "SIGKILL")
    expect((await failed)[0].message).toBe("spawn sh ECHILD")
    expect(await once(first, "close")).toEqual([null, "SIGKILL"])
  })
})

describe("a spawner that stands still", () => {
  it("is replaced, once somebody has waited long", async () => {
    const spawner = new Spawner(3_000)
    const first = shell(spawner, "exec sleep 1000")
    await once(first, "spawn")
    process.kill(parentOf(first.pid), "SIGSTOP")
    const second = shell(spawner, "echo never")
    const [error] = await once(second, "error").catch((thrown) => [thrown])
    expect(error.message).toBe("spawn sh ECHILD")
    expect(await text(shell(spawner, "echo again").stdout)).toBe("again\n")
  })
})
