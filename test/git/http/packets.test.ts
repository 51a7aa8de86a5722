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
