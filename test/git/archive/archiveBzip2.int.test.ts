import { execFile } from "node:child_process"
import { once } from "node:events"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { describe, expect, it, vi } from "vitest"
import { bzip2 } from "#src/git/archive/bzip2.ts"
import { blockBytes } from "#src/git/archive/bzip2Joiner.ts"
import { unpackBzip2 } from "#test/support/git/unpack.ts"

const compressed = (pieces: ReadonlyArray<Buffer>) => buffer(Readable.from(pieces).pipe(bzip2()))

const bytes = (length: number, at: (index: number) => number) =>
  Buffer.from(Array.from({ length }, (_, index) => at(index) & 0xff))
const mixed = (length: number) => bytes(length, (index) => Math.imul(index, 2_654_435_761) >>> (index % 7 === 0 ? 24 : 31))

const rows: ReadonlyArray<readonly [name: string, content: Buffer]> = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("a")],
  ["text", Buffer.from("hello, world\n".repeat(5000))],
  ["exactly one block", mixed(blockBytes)],
  ["one byte more", mixed(blockBytes + 1)],
  ["several blocks", mixed(5 * blockBytes + 12_345)],
  ["runs of four, which take more space at first", bytes(3 * blockBytes, (index) => index >> 2)],
  ["zeros", Buffer.alloc(4 * blockBytes)],
  ["noise", bytes(2 * blockBytes, (index) => Math.imul(Math.imul(index + 1, 2_654_435_761) ^ (index << 7), 40_503) >>> 13)]
]

describe("bzip2", () => {
  it.each(rows)("of %s is one stream that leads back to it", async (_name, content) => {
    const archive = await compressed(content.length === 0 ? [] : [content])
    expect((await unpackBzip2(archive)).equals(content)).toBe(true)
    expect(archive.toString("latin1").split("BZh91AY&SY").length - 1).toBe(content.length === 0 ? 0 : 1)
  })

  it("is the same however the content comes", async () => {
    const content = mixed(2 * blockBytes)
    const pieces = Array.from({ length: 1000 }, (_, index) => content.subarray(index * 1440, (index + 1) * 1440))
    const rest = content.subarray(1_440_000)
    expect((await compressed([...pieces, rest])).equals(await compressed([content]))).toBe(true)
  })
})

it("that is given up ends its thread", async () => {
  const terminate = vi.spyOn(Worker.prototype, "terminate")
  const stream = bzip2()
  stream.write(mixed(blockBytes * 2))
  stream.destroy()
  await once(stream, "close")
  const codes = await Promise.all(terminate.mock.results.map(({ value }) => value))
  terminate.mockRestore()
  // It has ended; with 0 where it had not begun its work, else with 1.
  expect(codes).toEqual([expect.any(Number)])
})

/** Runs in a process of its own, which would not end where it goes on: its thread ends only once it has answered. */
const script = `
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { bzip2 } from "./src/git/archive/bzip2.ts"
import { blockBytes } from "./src/git/archive/bzip2Joiner.ts"

const { terminate } = Worker.prototype
Worker.prototype.terminate = async function () {
  await once(this, "message")
  return terminate.call(this)
}
const stream = bzip2()
stream.write(Buffer.alloc(3 * blockBytes))
stream.destroy()
await once(stream, "close")
process.stdout.write("closed")
`

it("that is given up while a block is compressed does nothing with the rest", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", script], { timeout: 20_000 })
  expect(stdout).toBe("closed")
})
