import { execFileSync, spawnSync } from "node:child_process"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { bzip2 } from "#src/git/bzip2.ts"
import { blockBytes } from "#src/git/bzip2Joiner.ts"

const hasBunzip2 = spawnSync("bunzip2", ["--help"]).error === undefined
const compressed = (pieces: ReadonlyArray<Buffer>) => buffer(Readable.from(pieces).pipe(bzip2()))
const decompressed = (archive: Buffer) => execFileSync("bunzip2", ["-c"], { input: archive, maxBuffer: 64 * 1024 * 1024 })

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

describe.skipIf(!hasBunzip2)("bzip2", () => {
  it.each(rows)("of %s is one stream that bunzip2 reads", async (_name, content) => {
    const archive = await compressed(content.length === 0 ? [] : [content])
    expect(decompressed(archive).equals(content)).toBe(true)
    expect(archive.toString("latin1").split("BZh91AY&SY").length - 1).toBe(content.length === 0 ? 0 : 1)
  })

  it("is the same however the content comes", async () => {
    const content = mixed(2 * blockBytes)
    const pieces = Array.from({ length: 1000 }, (_, index) => content.subarray(index * 1440, (index + 1) * 1440))
    const rest = content.subarray(1_440_000)
    expect((await compressed([...pieces, rest])).equals(await compressed([content]))).toBe(true)
  })
})

describe("bzip2 that is given up", () => {
  it("ends its thread", async () => {
    const stream = bzip2()
    stream.write(mixed(blockBytes * 2))
    stream.destroy()
    await new Promise((resolve) => stream.once("close", resolve))
    expect(stream.destroyed).toBe(true)
  })
})
