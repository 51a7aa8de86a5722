import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { finished } from "node:stream/promises"
import { describe, expect, it } from "vitest"
import { Spool } from "#src/git/process/spool.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"

const folder = temporaryFolder()

const open = (memory = 0) =>
  Spool.create(folder(), { bytes: Number.POSITIVE_INFINITY, spare: async () => Number.POSITIVE_INFINITY, memory })
const ignore = () => {}
const mebibyte = 1024 * 1024

/** One whose file grows only so far. */
const openWindow = ({ growth, ...limits }: { growth: number; memory?: number; maxHoldMillis?: number }) => {
  const spool: Spool = Spool.create(folder(), {
    bytes: Number.POSITIVE_INFINITY,
    spare: async () => Number.POSITIVE_INFINITY,
    mayGrow: (bytes) => spool.fileBytes + bytes <= growth,
    ...limits
  })
  return spool
}

const chunksIn = (content: Buffer, size: number): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil(content.length / size) }, (_, index) => content.subarray(index * size, (index + 1) * size))

const write = async (spool: Spool, chunks: ReadonlyArray<Buffer>): Promise<void> => {
  const sink = spool.sink()
  for (const chunk of chunks) if (!sink.write(chunk)) await once(sink, "drain")
  sink.end()
  await finished(sink)
}

/** Chunks of sizes around those of pipes and pieces. */
const chunksOf = (...sizes: ReadonlyArray<number>) => sizes.map((size) => randomBytes(size))

describe("a spool", () => {
  it.for([0, 100_000])(
    "gives the same to readers who come at the same time, later, and at the end (%i bytes in memory)",
    async (memory) => {
      const spool = open(memory)
      const chunks = chunksOf(1, 65_536, 131_072, 131_073, 7, 1_000_000, 300)
      const early = [buffer(spool.reader(ignore)), buffer(spool.reader(ignore))]
      await write(spool, chunks.slice(0, 4))
      const late = buffer(spool.reader(ignore))
      await write(spool, chunks.slice(4))
      spool.finish()
      const read = await Promise.all([...early, late, buffer(spool.reader(ignore))])
      await spool.close()
      expect(read.map((bytes) => bytes.equals(Buffer.concat(chunks)))).toEqual([true, true, true, true])
    }
  )

  it("tells readers of little although nothing follows", async () => {
    const spool = open()
    const reader = spool.reader(ignore)
    await write(spool, [Buffer.from("Counting objects")])
    const [first] = await once(reader, "data")
    reader.destroy()
    await spool.close()
    expect(String(first)).toBe("Counting objects")
  })

  it.for([0, 100_000])("that may not grow uses its space again, as fast as all read (%i bytes in memory)", async (memory) => {
    const spool = openWindow({ memory, growth: 2 * mebibyte })
    const content = randomBytes(10 * mebibyte)
    const [fast, slow] = [spool.reader(ignore), spool.reader(ignore)]
    const writing = write(spool, chunksIn(content, 60_000)).then(() => spool.finish())
    const first = buffer(fast)
    await until(() => !spool.hasBeginning)
    expect(() => spool.reader(ignore)).toThrow("The beginning of the spool is gone")
    const read = await Promise.all([first, buffer(slow)])
    await writing
    expect([read.map((bytes) => bytes.equals(content)), spool.size]).toEqual([[true, true], content.length])
    expect(spool.fileBytes).toBeLessThanOrEqual(2 * mebibyte)
    await spool.close()
  })

  it("that may not grow lets go who holds up others, and goes on when somebody leaves", async () => {
    const spool = openWindow({ growth: 0, maxHoldMillis: 50 })
    const content = randomBytes(4 * mebibyte)
    const [reading, still, leaving] = [spool.reader(ignore), spool.reader(ignore), spool.reader(ignore)]
    const refused = once(still, "error")
    const writing = write(spool, chunksIn(content, 60_000)).then(() => spool.finish())
    leaving.once("readable", () => leaving.destroy())
    expect((await buffer(reading)).equals(content)).toBe(true)
    await writing
    expect((await refused).map(String)).toEqual(["Error: Others were held up"])
    expect(spool.fileBytes).toBe(mebibyte)
    await spool.close()
  })

  it("that may not grow waits for the only one who reads, and no longer once it is closed", async () => {
    const spool = openWindow({ growth: 0, maxHoldMillis: 1 })
    const content = randomBytes(2 * mebibyte)
    const reader = spool.reader(ignore)
    const written = write(spool, chunksIn(content, 65_536)).catch((error: Error) => error.message)
    await until(() => spool.size === mebibyte)
    // Reading goes on where it was, however long it did not.
    const [piece] = await once(reader, "data")
    expect(content.subarray(0, piece.length).equals(piece)).toBe(true)
    reader.pause()
    await until(() => spool.size > mebibyte)
    await spool.close()
    reader.destroy()
    expect(await written).toBe("The spool is closed")
  })

  it("tells that its folder takes no file before anything is written", async () => {
    const gone = join(folder(), "gone")
    // It is there when space is looked for, and not when the file is made.
    const spare = () => rm(gone, { recursive: true }).then(() => mebibyte)
    const spool = Spool.create(gone, { bytes: mebibyte, spare })
    await expect(spool.requireSpace(1)).rejects.toMatchObject({ code: "ENOENT", syscall: "open" })
    await spool.close()
  })

  it("gives what is there before it fails", async () => {
    const spool = open()
    const [chunk = Buffer.alloc(0)] = chunksOf(200_000)
    await write(spool, [chunk])
    const reader = spool.reader(ignore)
    const read: Array<Buffer> = []
    reader.on("data", (piece: Buffer) => read.push(piece))
    spool.fail(new Error("broken off"))
    const [error] = await once(reader, "error")
    await spool.close()
    expect([error.message, Buffer.concat(read).equals(chunk)]).toEqual(["broken off", true])
  })
})
