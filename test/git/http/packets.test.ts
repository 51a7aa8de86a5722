import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { flush, PacketBoundary, PacketReader, packet, sideband } from "#src/git/http/packets.ts"
import { CommandReader } from "#src/git/http/push/CommandReader.ts"

const contents = fc.array(fc.oneof(fc.constant(undefined), fc.uint8Array({ maxLength: 200 })), { maxLength: 20 })
const encode = (list: ReadonlyArray<Uint8Array | undefined>) =>
  Buffer.concat(list.map((content) => (content === undefined ? flush : packet(content))))
/** The bytes in pieces of these sizes, over and over. */
const cut = (bytes: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })

describe("packets", () => {
  it("are read as they were written, however they are cut", () => {
    fc.assert(
      fc.property(contents, sizes, (list, pieces) => {
        const reader = new PacketReader()
        const read = cut(encode(list), pieces).flatMap((piece) => [...(reader.take(piece) ?? [])])
        const plain = (all: ReadonlyArray<Uint8Array | undefined>) => all.map((it) => it && Buffer.from(it).toString("hex"))
        expect(plain(read)).toEqual(plain(list))
      })
    )
  })

  it("end where their boundaries are", () => {
    fc.assert(
      fc.property(contents, sizes, (list, pieces) => {
        const bytes = encode(list)
        const ends = new Set([0])
        let end = 0
        for (const content of list) {
          end += content === undefined ? 4 : content.length + 4
          ends.add(end)
        }
        const boundary = new PacketBoundary()
        let passed = 0
        for (const piece of cut(bytes, pieces)) {
          boundary.pass(piece)
          passed += piece.length
          expect(boundary.isBetween).toBe(ends.has(passed))
        }
      })
    )
  })

  it("at the head of a push count once, however they are cut", () => {
    const head = Buffer.concat([packet(`${"0".repeat(40)} ${"1".repeat(40)} refs/heads/main\0report-status atomic`), flush])
    const pushed = Buffer.concat([head, Buffer.from("PACK and so on")])
    const faults = (maxBytes: number, size: number) => {
      const it = new CommandReader(maxBytes)
      return cut(pushed, [size]).flatMap((piece) => it.inspect(piece)?.status ?? [])
    }
    expect([1, 7, 1000].map((size) => faults(head.length, size))).toEqual([[], [], []])
    expect(faults(head.length - 1, 1000)).toEqual([413])
  })

  it("at the head of a push tell what follows, however they are cut", () => {
    const id = fc.constantFrom("1".repeat(40), "2".repeat(64))
    const commands = fc.array(fc.tuple(id, fc.boolean()), { minLength: 1, maxLength: 6 })
    const capabilities = fc.subarray(["report-status", "side-band-64k", "atomic", "push-options"])
    const options = fc.array(fc.constantFrom("ci.skip", "a b 0 c"), { maxLength: 3 })
    fc.assert(
      fc.property(commands, capabilities, options, fc.nat(0xffffffff), sizes, (moves, known, said, objects, pieces) => {
        const lines = moves.map(([old, isRemoval], index) => {
          const next = isRemoval ? "0".repeat(old.length) : old.replaceAll(/./g, "3")
          return `${old} ${next} refs/heads/${index}${index === 0 ? `\0 ${known.join(" ")}` : ""}`
        })
        const hasOptions = known.includes("push-options")
        const head = [...lines.map((line) => packet(line)), flush, ...(hasOptions ? [...said.map(packet), flush] : [])]
        const hasPack = moves.some(([, isRemoval]) => !isRemoval)
        const header = Buffer.from("PACK\0\0\0\x02....")
        header.writeUInt32BE(objects, 8)
        const packStart = Buffer.concat(head).length
        const bytes = Buffer.concat([...head, ...(hasPack ? [header, Buffer.from("0004 and no packet any more")] : [])])
        const reader = new CommandReader(packStart)
        const states = cut(bytes, pieces).map((piece) => ({ fault: reader.inspect(piece), isComplete: reader.isComplete }))
        const { hasBands, isAtomic, isRead } = reader
        expect({ hasBands, isAtomic, isRead, packStart: reader.packStart, objects: reader.objects }).toEqual({
          hasBands: known.includes("side-band-64k"),
          isAtomic: known.includes("atomic"),
          isRead: true,
          packStart,
          objects: hasPack ? objects : 0
        })
        expect(states.map(({ fault }) => fault)).toEqual(states.map(() => undefined))
        const end = hasPack ? packStart + header.length : packStart
        const parts = cut(bytes, pieces)
        const complete = parts.map((_, index) => Buffer.concat(parts.slice(0, index + 1)).length >= end)
        expect(states.map(({ isComplete }) => isComplete)).toEqual(complete)
      })
    )
  })

  it("are none where there is no length", () => {
    expect(new PacketReader().take(Buffer.from("PACK"))).toBeUndefined()
    const boundary = new PacketBoundary()
    boundary.pass(Buffer.from("nonsense"))
    expect(boundary.isBetween).toBe(false)
  })

  it("on a band hold what fits", () => {
    const bytes = Buffer.alloc(200_000, "x")
    const packets = new PacketReader().take(sideband(2, bytes)) ?? []
    expect(packets.map((content) => [content?.[0], content?.length])).toEqual([
      [2, 65_516],
      [2, 65_516],
      [2, 65_516],
      [2, 3_456]
    ])
    expect(sideband(3, "why").toString("latin1")).toBe("0008\u0003why")
  })
})
