import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { buffer } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { Spool } from "#src/git/process/spool.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

const open = (memory = 0) =>
  Spool.create(folder(), { bytes: Number.POSITIVE_INFINITY, spare: async () => Number.POSITIVE_INFINITY, memory })
const ignore = () => {}

const write = async (spool: Spool, chunks: ReadonlyArray<Buffer>): Promise<void> => {
  const sink = spool.sink()
  for (const chunk of chunks) if (!sink.write(chunk)) await once(sink, "drain")
  await new Promise((resolve) => sink.end(resolve))
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
